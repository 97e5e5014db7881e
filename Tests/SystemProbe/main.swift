import Glibc
import SettledSystemd

// Drives SettledSystemd inside a booted systemd; the scripts in packaging/system-tests read what it
// prints.
//   system-probe reload|restart UNIT [SECONDS]   a unit job
//   system-probe signal UNIT NUMBER
//   system-probe confirm reload|restart UNIT     a unit job, and a second look 2 s later
//   system-probe start VERB UNIT                 as a service: a unit job, then READY, then waits
//   system-probe journal MESSAGE                 an entry with fields

func text(_ outcome: UnitOutcome) -> String {
  switch outcome {
  case .done(_, let avoidedDeadlock): avoidedDeadlock ? "done, deadlock avoided" : "done"
  case .skipped(let state): "skipped (\(state.active))"
  case .stillDown(let failure): "still down: \(failure)"
  case .failed(let failure): "failed: \(failure)"
  }
}

func job(_ units: Units, _ arguments: ArraySlice<String>) -> UnitOutcome {
  let arguments = Array(arguments)
  let seconds = arguments.count > 2 ? Int(arguments[2]) ?? 90 : 90
  let verb: UnitVerb = arguments[0] == "reload" ? .reload : .restart
  return units.run(verb, arguments[1], within: .seconds(seconds))
}

func confirmed(_ units: Units, _ outcome: UnitOutcome) -> String {
  guard case .done(let state, _) = outcome, let failure = units.confirm([state])[0] else {
    return text(outcome)
  }
  return "failed: \(failure)"
}

let arguments = CommandLine.arguments
let units = Units()
let notifier = Notifier(address: ServiceEnvironment().notifyAddress)
switch arguments.count > 2 ? arguments[1] : "" {
case "reload", "restart": print(text(job(units, arguments[1...])))
case "signal": print(text(units.signal(arguments[2], Int32(arguments[3]) ?? 0)))
case "confirm": print(confirmed(units, job(units, arguments[2...])))
case "start":
  print(text(job(units, arguments[2...])))
  fflush(nil)
  notifier.send(.ready(status: "ready", errno: 0))
  while true { pause() }
case "journal":
  let fields = [JournalEntry.Field("SETTLED_TARGET", "site\nwith a second line")]
  Journal(identifier: "probe").log(
    JournalEntry(.warning, arguments[2], id: MessageID(0x5e77_1ed0, 1), fields: fields))
default:
  print("usage: system-probe reload|restart|signal|confirm|start|journal ARGUMENT...")
}
