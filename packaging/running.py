"""A daemon that a test runs: started, asked over its socket, measured by /proc, and ended."""

import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import time

LIBC = ctypes.CDLL(None, use_errno=True)
IN_MOVED_TO, IN_CLOSE_WRITE = 0x80, 0x8


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    """The text of a file; None where there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def built(product, build=True):
    """The path of a release program, built where that is asked for."""
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", product]
    if build:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    shown = subprocess.run(
        command + ["--show-bin-path"], check=True, capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), product)


class Events:
    """Wakes up when something is put into a folder."""

    def __init__(self, folder):
        self.inotify = LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        LIBC.inotify_add_watch(self.inotify, folder.encode(), IN_MOVED_TO | IN_CLOSE_WRITE)

    def wait(self, seconds):
        """Whether something came within so many seconds."""
        if not select.select([self.inotify], [], [], max(0, seconds))[0]:
            return False
        os.read(self.inotify, 65536)
        return True


class Daemon:
    """`settled` on a folder that has `settled.yaml`, or the manifest that is named."""

    def __init__(self, program, folder, manifest=None, variables=()):
        self.folder = folder
        self.socket = os.path.join(folder, "run", "socket")
        self.log = os.path.join(folder, "log")
        self.command = [
            program, "--manifest", manifest or os.path.join(folder, "settled.yaml"),
            "--socket", self.socket, "--state-directory", os.path.join(folder, "state")]
        self.variables = dict(variables)
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **self.variables})
        self.until(lambda: os.path.exists(self.socket) and self.status()["generation"] > 0, 60)

    def until(self, condition, seconds):
        """Waits until a condition holds; fails when it does not in time, or the daemon ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"settled ended with {self.process.returncode}:\n{self.tail()}")
            try:
                if condition():
                    return
            except OSError:
                pass
            time.sleep(0.01)
        raise RuntimeError(f"waited {seconds} s in vain:\n{self.tail()}")

    def stop(self):
        """Ends it; the answer is its exit status."""
        if self.process is None:
            return None
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def call(self, method, **parameters):
        """The reply to one call over a connection of its own."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(self.socket)
            message = {"method": "io.settled." + method, "parameters": parameters}
            connection.sendall(json.dumps(message).encode() + b"\0")
            reply = b""
            while not reply.endswith(b"\0"):
                part = connection.recv(1 << 20)
                if not part:
                    raise OSError("the connection was closed")
                reply += part
        answer = json.loads(reply[:-1])
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer}")
        return answer["parameters"]

    def status(self):
        return self.call("GetStatus")

    def metric(self, name):
        for line in self.call("GetMetrics")["text"].splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        raise KeyError(name)

    def tail(self, count=12):
        return "\n".join((read(self.log) or "").splitlines()[-count:])

    # What /proc tells.

    def descriptors(self):
        """What each open descriptor is."""
        folder = f"/proc/{self.process.pid}/fd"
        found = []
        for name in os.listdir(folder):
            try:
                found.append(os.readlink(os.path.join(folder, name)))
            except OSError:
                pass
        return found

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def memory(self):
        """The resident memory in kB."""
        for line in read(f"/proc/{self.process.pid}/status").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        return 0
