import SettledValues
public import Varlink

/// The daemon's end of the control socket.
///
/// The daemon's loop awaits that `descriptor` is readable and calls `process()`, which never blocks.
public final class ControlServer {

  private let server: Server

  /// Listens at `path` for `control`, which is not kept alive.
  ///
  /// - Throws: `SocketFault`, also when another process listens there.
  public init(
    for control: any ControlService, at path: String, access: Access = .standard(),
    limits: Server.Limits = Server.Limits()
  ) throws(SocketFault) {
    server = try Server(
      of: Self.service(for: control, access: access), at: path, limits: limits)
  }

  /// What the event loop awaits to be readable.
  public var descriptor: Int32 { server.descriptor }

  /// Takes connections, reads, has calls answered and writes, as far as nothing has to be waited
  /// for.
  public func process() {
    server.process()
  }

  /// Writes what clients take at once; to be called before the daemon ends.
  public func flush() {
    server.flush()
  }

  /// The interfaces of a daemon, with `control` answering for it, to be served in any way.
  public static func service(for control: any ControlService, access: Access) -> Service {
    let service = Service(
      vendor: "settled", product: "settled", version: Release.version, url: "")
    let handlers = ControlHandlers(control: control, access: access)
    service.add(.settled, handlers: handlers.byName)
    return service
  }
}

/// The handlers of the methods: rights, the question, and the reply on the wire.
private struct ControlHandlers {
  weak var control: (any ControlService)?
  let access: Access

  var byName: [String: Service.Handler] {
    [
      "GetStatus": answer { call, control in
        let status = control.status()
        return access.isTrusted(call.peer) ? status.wire : status.publicPart.wire
      },
      "Get": trusted { call, control throws(ControlError) in
        ["value": try control.value(at: call.parameters["path"]?.text ?? "").wire]
      },
      "Evaluate": trusted { call, control throws(ControlError) in
        let answer = try control.evaluate(call.parameters["expression"]?.text ?? "")
        return ["value": answer.value.wire, "reads": .list(answer.reads.map { .string($0) })]
      },
      "Show": trusted { _, control throws(ControlError) in
        let values = try control.values()
        return ["settings": values.settings.wire, "derived": values.derived.wire]
      },
      "Reload": permitted { call, control in
        control.reload { call.reply($0.wire) }
      },
      "Explain": permitted { call, control in
        let kind = call.parameters["kind"]?.text
        control.explain(call.parameters["name"]?.text ?? "", as: kind) { call.finish($0) }
      },
      "GetGraph": permitted { call, control in
        control.graph { call.finish($0) }
      },
      "Watch": { call in
        guard let subscription = Subscription(call, access) else {
          return call.fail(.permissionDenied)
        }
        guard let control else { return call.fail(ControlError.notReady.callError) }
        control.watch(subscription)
      },
      "Wait": { call in
        guard let control else { return call.fail(ControlError.notReady.callError) }
        let isTrusted = access.isTrusted(call.peer)
        control.wait(looks: isTrusted) { status in
          guard call.isOpen else { return }
          let shown = isTrusted ? status : status.publicPart
          call.reply(shown.waitWire)
        }
      },
      "GetMetrics": answer { _, control in ["text": .string(control.metrics())] },
      "Apply": permitted { call, control in
        control.apply(call.parameters["target"]?.text.map { [$0] } ?? []) { call.reply($0.wire) }
      },
      "Plan": permitted { call, control in
        control.plan { call.reply($0.wire) }
      },
      "GetHistory": trusted { call, control in
        var count = HistoryEntry.limit
        if case .int(let number)? = call.parameters["last"] { count = Int(clamping: number) }
        let entries = control.history(last: max(0, count))
        return ["version": 1, "entries": .list(entries.map { .map($0.wire) })]
      },
    ]
  }

  /// A handler that anyone may call and that replies at once.
  private func answer(
    _ reply: @escaping (Call, any ControlService) throws(ControlError) -> ValueMap
  ) -> Service.Handler {
    { call in
      guard let control else { return call.fail(ControlError.notReady.callError) }
      do throws(ControlError) {
        call.reply(try reply(call, control))
      } catch {
        call.fail(error.callError)
      }
    }
  }

  /// A handler for those with rights, that replies at once.
  private func trusted(
    _ reply: @escaping (Call, any ControlService) throws(ControlError) -> ValueMap
  ) -> Service.Handler {
    let handler = answer(reply)
    return { call in
      guard access.isTrusted(call.peer) else { return call.fail(.permissionDenied) }
      handler(call)
    }
  }

  /// A handler for those with rights, that replies when it can.
  private func permitted(
    _ handle: @escaping (Call, any ControlService) -> Void
  ) -> Service.Handler {
    { call in
      guard access.isTrusted(call.peer) else { return call.fail(.permissionDenied) }
      guard let control else { return call.fail(ControlError.notReady.callError) }
      handle(call, control)
    }
  }
}

extension Call {
  /// Answers with the outcome of a question.
  fileprivate func finish(_ outcome: Result<ValueMap, ControlError>) {
    switch outcome {
    case .success(let reply): self.reply(reply)
    case .failure(let error): fail(error.callError)
    }
  }
}
