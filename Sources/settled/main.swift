import Daemon
import Glibc
import Options
import SettledInputs

// First of all: a signal sent from now on waits for the loop, whatever thread there is.
blockSignals()
openStandardStreams()
// Every mode is asked for; one that whoever started the process left would take from it.
umask(0o022)
keepMemoryPrivate()
shareMemory()

do {
  switch try program.parse(ProcessArguments.current) {
  case .help: print(program.help(), terminator: "")
  case .manual: print(program.manual(section: 8), terminator: "")
  case .version: print(program.versionText, terminator: "")
  case .run(let invocation): exit(DaemonProgram.run(DaemonOptions(invocation)))
  }
} catch {
  let line = "settled: \(error)\n"
  write(STDERR_FILENO, line, line.utf8.count)
  exit(2)
}
