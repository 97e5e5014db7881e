import SettledValues

/// A set of interfaces with handlers for their methods.
///
/// `org.varlink.service` is there from the start.
public final class Service {
  /// Answers a call.
  public typealias Handler = (Call) -> Void

  private struct Route {
    let interface: Interface
    let method: Interface.Method
    let handler: Handler?
  }

  private var interfaces: [Interface] = []
  private var routes: [String: Route] = [:]

  /// Creates a service that says this about itself.
  public init(vendor: String, product: String, version: String, url: String) {
    let about: ValueMap = [
      "vendor": .string(vendor), "product": .string(product), "version": .string(version),
      "url": .string(url),
    ]
    add(
      .service,
      handlers: [
        "GetInfo": { [unowned self] call in
          var information = about
          information["interfaces"] = .list(interfaces.map { .string($0.name) })
          call.reply(information)
        },
        "GetInterfaceDescription": { [unowned self] in describe($0) },
      ])
  }

  /// Adds an interface with handlers by the names of its methods; a method without one is answered
  /// with an error.
  public func add(_ interface: Interface, handlers: [String: Handler]) {
    interfaces.append(interface)
    for method in interface.methods {
      routes["\(interface.name).\(method.name)"] = Route(
        interface: interface, method: method, handler: handlers[method.name])
    }
  }

  /// Checks a call and has its handler answer it.
  func process(_ call: Call) {
    guard let route = routes[call.method] else { return call.fail(missing(call.method)) }
    if let name = route.interface.firstFault(in: call.parameters, of: route.method.input) {
      return call.fail(.invalidParameter(name))
    }
    guard let handler = route.handler else {
      return call.fail(.methodNotImplemented(call.method))
    }
    handler(call)
  }

  private func missing(_ method: String) -> CallError {
    guard let point = method.lastIndex(of: ".") else { return .methodNotFound(method) }
    let interface = String(method[..<point])
    let isThere = interfaces.contains { $0.name.hasSameBytes(as: interface) }
    return isThere ? .methodNotFound(method) : .interfaceNotFound(interface)
  }

  private func describe(_ call: Call) {
    guard case .string(let name)? = call.parameters["interface"],
      let interface = interfaces.first(where: { $0.name.hasSameBytes(as: name) })
    else { return call.fail(.interfaceNotFound(call.parameters["interface"]?.text ?? "")) }
    call.reply(["description": .string(interface.description)])
  }
}

extension Interface {
  /// The interface that every service has.
  public static let service = Interface(
    "org.varlink.service", "What every service says about itself.",
    methods: [
      Method(
        "GetInfo", "Tells what the service is and which interfaces it has.",
        output: [
          Field("vendor", .string), Field("product", .string), Field("version", .string),
          Field("url", .string), Field("interfaces", .array(.string)),
        ]),
      Method(
        "GetInterfaceDescription", "Gives the description of an interface.",
        input: [Field("interface", .string)], output: [Field("description", .string)]),
    ],
    errors: [
      Failure(
        "InterfaceNotFound", "There is no such interface.", fields: [Field("interface", .string)]),
      Failure("MethodNotFound", "There is no such method.", fields: [Field("method", .string)]),
      Failure(
        "MethodNotImplemented", "The method cannot be called.", fields: [Field("method", .string)]),
      Failure(
        "InvalidParameter", "A parameter is missing, unknown or of a wrong type.",
        fields: [Field("parameter", .string)]),
      Failure("PermissionDenied", "The peer may not call the method."),
      Failure("ExpectedMore", "The method must be called with 'more'."),
    ])
}
