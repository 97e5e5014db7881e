import Glibc

/// Opens `/dev/null` for what of standard input, output and error is closed.
///
/// Otherwise the next file that is opened would be one of them, and get what is written for people.
/// To be called before anything is opened.
package func openStandardStreams() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
    // The lowest number that is free, which is this one.
    _ = open("/dev/null", O_RDWR)
  }
}
