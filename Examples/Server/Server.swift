import Glibc
import Observation
import SettledObserving
import SettledSettings
import SettledSystemd
import SettledValues

/// The settings: plain properties with defaults, and the list of what may be written.
@Observable final class Shop: SettingsModel {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var name = "shop"
  var port = 8080
  var patience = Duration.seconds(5)
  var greeting: String { "\(name) on port \(port), for \(patience)" }

  static let settings: [Setting<Shop>] = [
    Setting("name", \.name, count: 1...40, doc: "what the shop is called"),
    Setting("port", \.port, in: 1...65_535, doc: "where it listens"),
    Setting("patience", \.patience, in: ...(.seconds(60)), doc: "how long it waits"),
  ]
}

@main struct Server {
  static func main() async {
    let environment = ServiceEnvironment()
    let journal = Journal(identifier: "shop", environment: environment)
    let notifier = Notifier(address: environment.notifyAddress)
    let files = SettingsFiles(
      ["shop.yaml", .optional("local.yaml"), .dropIns("shop.d/*.yaml")],
      in: CommandLine.arguments.dropFirst().first ?? ".")
    let shop = await Shop()
    do {
      let live = try await LiveSettings(files, in: shop)
      let token = await observe({ shop.greeting }) { _, greeting in
        journal.log(JournalEntry(.info, "serving \(greeting)"))
      }
      notifier.send(.ready(status: "serving"))
      for await reload in live.reloads {
        if reload.cause == .hangUp { notifier.send(.reloading()) }
        if case .refused(let findings) = reload.outcome {
          for finding in findings { journal.log(JournalEntry(.error, "\(finding)")) }
        }
        notifier.send(.ready(status: reload.summary))
      }
      token.cancel()
    } catch {
      journal.log(JournalEntry(.error, (error as? Refusal)?.text ?? "\(error)"))
      exit(78)  // EX_CONFIG: systemd does not try again where RestartPreventExitStatus= has it
    }
  }
}
