import Observation
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML

/// A model with a property of every kind that a setting can have.
@Observable
final class ShopModel: SettingsModel {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var host = "127.0.0.1"
  var port = 8080
  var ratio = 0.5
  var isOpen = true
  var level = Level.info
  var motto: String?
  var retries: Int?
  var wait = Duration.milliseconds(500)
  var cache = ByteCount.mebibytes(1)
  var home: URLText?
  var tags = ["new"]
  var prices: [String: Double] = [:]
  var routes: [Route] = []
  var token = "none"
  let database = DatabaseModel()
  var mirror: DatabaseModel?
  var shards: [String: DatabaseModel] = [:]

  enum Level: String, CaseIterable, SettingValue {
    case debug, info, error
  }

  var listen: String { "\(host):\(port)" }

  static let settings: [Setting<ShopModel>] = [
    Setting("host", \.host, doc: "the address it listens on"),
    Setting("port", \.port, in: 1...65_535, doc: "the port it listens on"),
    Setting("ratio", \.ratio, in: 0...1),
    Setting("open", \.isOpen),
    Setting("level", \.level, doc: "what is logged"),
    Setting("motto", \.motto),
    Setting("retries", \.retries, in: ...9),
    Setting("wait", \.wait, in: .milliseconds(1)...(.seconds(60)), doc: "how long it waits"),
    Setting("cache", \.cache, in: .kibibytes(4)..., doc: "what it keeps"),
    Setting("home", \.home),
    Setting("tags", \.tags, count: ...3),
    Setting("prices", \.prices),
    Setting("routes", \.routes, doc: "what is served"),
    Setting("token", \.token, isSecret: true) { $0.utf8.count < 3 ? "longer" : nil },
    Setting("database", \.database, doc: "where orders are kept"),
    Setting("mirror", \.mirror),
    Setting("shards", \.shards),
  ]
}

@Observable
final class DatabaseModel: SettingsModel {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var name = "shop"
  var pool = 4

  static let settings: [Setting<DatabaseModel>] = [
    Setting("name", \.name),
    Setting("pool", \.pool, in: 1..., doc: "its connections"),
  ]
}

struct Route: SettingsRecord, Equatable {
  var path = "/"
  var handler = ""

  static let settings: [Setting<Route>] = [
    Setting("path", \.path) { $0.hasPrefix("/") ? nil : "an absolute path" },
    Setting("handler", \.handler, isRequired: true),
  ]
}

/// Settings of one layer a text, the last one wins.
func settings(_ texts: String...) throws -> Settings {
  try Settings(
    texts.enumerated().map { number, text in
      Layer(try YAMLDocument.read(Array(text.utf8), file: "\(number).yaml"))
    })
}

/// What is refused, without the lines and hints.
@ObservingActor
func refusal(_ model: some SettingsModel, _ texts: String...) throws -> [String] {
  let layers = try texts.enumerated().map { number, text in
    Layer(try YAMLDocument.read(Array(text.utf8), file: "\(number).yaml"))
  }
  do {
    try model.update(from: Settings(layers))
    return []
  } catch {
    return error.diagnostics.map(\.summary)
  }
}
