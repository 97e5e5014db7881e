import Control
import Glibc
import Options
import SettledValues

/// The tool: from arguments to an exit status.
struct Tool {
  private(set) var console: Console
  let environment: (String) -> String?
  /// The socket that was named with an option.
  private var socket: String?

  init(console: Console, environment: @escaping (String) -> String?) {
    self.console = console
    self.environment = environment
  }

  /// Does what the arguments say.
  func run(_ arguments: some Sequence<String>) -> ExitStatus {
    do {
      switch try Program.settlectl.parse(arguments) {
      case .help(let verb): try console.answer(Program.settlectl.help(for: verb))
      case .manual: try console.answer(Program.settlectl.manual())
      case .version: try console.answer(Program.settlectl.versionText)
      case .run(let invocation): return try run(invocation)
      }
      return .done
    } catch let error as UsageError {
      console.report("settlectl: \(error)")
      return .usage
    } catch let error as ToolError {
      console.report("settlectl: \(error.message.printableLines)")
      if let hint = error.hint { console.report("  hint: \(hint.printableLines)") }
      return error.status
    } catch {
      console.report("settlectl: \(error)")
      return .refused
    }
  }

  /// Asks the daemon.
  func ask<Answer>(
    _ question: (ControlClient) throws(ControlClient.Fault) -> Answer
  ) throws(ToolError) -> Answer {
    do {
      return try question(ControlClient(socketPath))
    } catch {
      throw ToolError(error)
    }
  }

  /// Writes an answer in the form that was asked for.
  func show(_ answer: Answer, for invocation: Invocation) throws(ToolError) {
    try console.answer(answer.shown(for: invocation, style: console.output.style))
  }

  /// Writes an answer for programs.
  func showJSON(_ answer: Answer) throws(ToolError) {
    try console.answer(try answer.json(console.output.style))
  }

  private func run(_ invocation: Invocation) throws(ToolError) -> ExitStatus {
    guard let command = Command.all.first(where: { $0.verb.name == invocation.verb }) else {
      throw ToolError(.usage, "unknown verb '\(invocation.verb)'")
    }
    var tool = self
    tool.socket = invocation.value(of: .socket)
    if !invocation.has(.noPager) { tool.console.pager = Pager(environment: environment) }
    do throws(ToolError) {
      return try command.action(invocation, tool)
    } catch  where error.status == .usage {
      console.report("settlectl: \(error.message)")
      console.report("Try 'settlectl \(invocation.verb) --help'")
      return .usage
    }
  }

  /// The socket that is named, or of the daemon that runs for this user, or of the system's.
  private var socketPath: String {
    if let named = socket ?? environment("SETTLED_SOCKET"), !named.isEmpty { return named }
    let own = ControlSocket.standardPath(
      user: geteuid(), runtimeDirectory: environment("XDG_RUNTIME_DIR"))
    guard let own, access(own, F_OK) == 0 else { return ControlSocket.systemPath }
    return own
  }
}
