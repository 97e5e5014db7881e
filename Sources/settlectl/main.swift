import Glibc
import Options
import SettledInputs

// A reader that goes away is found out by EPIPE, and is no reason to end by a signal.
signal(SIGPIPE, SIG_IGN)
openStandardStreams()
keepMemoryPrivate()
let tool = Tool(console: .standard, environment: environmentVariable)
exit(tool.run(ProcessArguments.current).rawValue)
