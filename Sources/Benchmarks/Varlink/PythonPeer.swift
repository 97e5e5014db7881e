import Glibc

/// A server of the package `varlink` from PyPI, run by `SETTLED_PYTHON` or `python3`.
final class PythonPeer {
  let path: String
  private let input: UnsafeMutablePointer<FILE>

  /// Starts the server, or gives nil where the package is absent; it ends with its input.
  init?(at path: String) {
    self.path = path
    let python = getenv("SETTLED_PYTHON").map { String(cString: $0) } ?? "python3"
    guard system("\(python) -c 'import varlink' 2>/dev/null") == 0,
      let input = popen("\(python) -c '\(Self.script)' \(path)", "w")
    else {
      print("  PyPI varlink: not there; pip install varlink and set SETTLED_PYTHON")
      return nil
    }
    self.input = input
    for _ in 0..<500 where access(path, F_OK) != 0 { usleep(10_000) }
  }

  deinit {
    pclose(input)
    unlink(path)
  }

  private static let script = """
    import os, sys, tempfile, threading, varlink
    folder = tempfile.mkdtemp()
    with open(folder + "/test.bench.varlink", "w") as file:
        file.write("interface test.bench\\n\\nmethod Ping(ping: string) -> (ping: string)\\n")
    service = varlink.Service(vendor="", product="", version="", url="", interface_dir=folder)
    class Handler(varlink.RequestHandler):
        pass
    Handler.service = service
    @service.interface("test.bench")
    class Bench:
        def Ping(self, ping):
            return {"ping": ping}
    server = varlink.ThreadingServer("unix:" + sys.argv[1], Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)
    """
}
