import Observation
import SettledObserving
import SettledSettings
import SettledValues
import Testing

@ObservingActor
struct ModelUpdateTests {
  @Test func `an update sets what differs, and tells it once`() throws {
    let shop = ShopModel()
    try shop.update(from: settings("{host: a, port: 1, database: {pool: 2}}"))
    var told: [String] = []
    let tokens = [
      observe({ "\(shop.listen) \(shop.database.pool)" }, initial: false) { told.append($1) },
      observe({ shop.level }, initial: false) { _, _ in told.append("level") },
    ]
    let changed = try shop.update(from: settings("{host: b, port: 2, database: {pool: 3}}"))
    #expect(told == ["b:2 3"])
    #expect(changed.paths.map(\.description) == ["host", "port", "database.pool"])
    #expect(try shop.update(from: settings("{host: b, port: 2, database: {pool: 3}}")).isEmpty)
    #expect(told.count == 1)
    tokens.forEach { $0.cancel() }
  }

  @Test func `what is not set any more has its default again`() throws {
    let shop = ShopModel()
    try shop.update(
      from: settings(
        """
        {host: b, motto: hi, tags: [], database: {pool: 9}, mirror: {}, shards: {x: {}},
        routes: [{handler: a}]}
        """))
    try shop.update(from: settings("{host: null}"))
    #expect(shop.host == "127.0.0.1")
    #expect(shop.motto == nil)
    #expect(shop.tags == ["new"])
    #expect(shop.database.pool == 4)
    #expect(shop.mirror == nil)
    #expect(shop.shards.isEmpty)
    #expect(shop.routes.isEmpty)
  }

  @Test func `the default of a nested model is that of its owner`() throws {
    let pair = Pair()
    try pair.update(from: settings("{second: {name: x}}"))
    #expect(pair.second.pool == 99)
    try pair.update(from: settings("{second: {pool: 1}}"))
    try pair.update(from: settings("{}"))
    #expect(pair.first.pool == 4)
    #expect(pair.second.pool == 99)
  }

  @Test func `nested models keep their identity`() throws {
    let shop = ShopModel()
    try shop.update(from: settings("{mirror: {}, shards: {x: {}, y: {}}}"))
    let (database, mirror, x) = (shop.database, shop.mirror, shop.shards["x"])
    var shardSets = 0
    let token = observe({ shop.shards.keys.sorted() }, initial: false) { _, _ in shardSets += 1 }
    try shop.update(
      from: settings("{database: {pool: 5}, mirror: {pool: 6}, shards: {x: {pool: 7}, y: {}}}"))
    #expect(shop.database === database)
    #expect(shop.mirror === mirror)
    #expect(shop.shards["x"] === x)
    #expect(x?.pool == 7)
    #expect(shardSets == 0)
    try shop.update(from: settings("{shards: {x: {pool: 7}, z: {}}}"))
    #expect(shop.shards["x"] === x)
    #expect(shop.shards.keys.sorted() == ["x", "z"])
    #expect(shardSets == 1)
    token.cancel()
  }

  @Test func `what needs a restart stays in a reload, and is said`() throws {
    let plain = Plain()
    try plain.update(from: settings("{port: 1, name: a}"))
    let changes = try plain.update(from: settings("{port: 2, name: b}"), isReload: true)
    #expect(changes.paths.map(\.description) == ["name"])
    #expect(
      changes.warnings.map(\.summary) == ["0.yaml:1:8: warning: 'port' needs a restart"])
    #expect(plain.port == 1)
    #expect(plain.name == "b")
    let again = try plain.update(from: settings("{port: 1, name: b}"), isReload: true)
    #expect(again.isEmpty && again.warnings.isEmpty)
  }

  @Test func `changes are found without being made`() throws {
    let shop = ShopModel()
    let changes = try shop.changes(in: settings("{port: 1}"))
    #expect(changes.paths.map(\.description) == ["port"])
    #expect(shop.port == 8080)
    changes.apply()
    #expect(shop.port == 1)
  }

  @Test func `looking for changes depends on nothing`() throws {
    let shop = ShopModel()
    var looks = 0
    let settings = try settings("{port: 8080}")
    let token = observe({ () throws -> Bool in
      looks += 1
      return try shop.changes(in: settings).isEmpty
    }) { _, _ in }
    shop.port = 1
    #expect(looks == 1)
    token.cancel()
  }

  @Test func `a reload of a thousand properties with one changed notifies one observer`() throws {
    let shop = ShopModel()
    func settings(changing changed: Int?) throws -> Settings {
      let shards = (0..<500).map { number in
        "s\(number): {name: n\(number), pool: \(number == changed ? 9 : 2)}"
      }
      return try SettledSettingsTests.settings("shards: {\(shards.joined(separator: ", "))}")
    }
    try shop.update(from: settings(changing: nil))
    var told: [String] = []
    var tokens: [ObservationToken] = []
    for (key, shard) in shop.shards {
      tokens.append(observe({ shard.name }, initial: false) { _, _ in told.append("name \(key)") })
      tokens.append(observe({ shard.pool }, initial: false) { _, _ in told.append("pool \(key)") })
    }
    #expect(tokens.count == 1_000)
    try shop.update(from: settings(changing: 77))
    #expect(told == ["pool s77"])
    tokens.forEach { $0.cancel() }
  }
}

@Observable
private final class Pair: SettingsModel {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  let first = DatabaseModel()
  let second: DatabaseModel

  init() {
    second = DatabaseModel()
    second.pool = 99
  }

  static let settings: [Setting<Pair>] = [
    Setting("first", \.first), Setting("second", \.second),
  ]
}

@Observable
private final class Plain: SettingsModel {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var port = 80
  var name = "plain"

  static let settings: [Setting<Plain>] = [
    Setting("port", \.port, in: 1...65_535, needsRestart: true),
    Setting("name", \.name),
  ]
}
