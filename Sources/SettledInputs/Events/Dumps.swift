import CLinux

/// Keeps the memory of this process, in which secrets lie, to itself: it leaves no core dump, and no
/// other process of its user may read it (prctl(2), `PR_SET_DUMPABLE`).
///
/// A program that it executes is not kept so.
public func keepMemoryPrivate() {
  // No reason to fail is documented for this value.
  _ = prctl_set_dumpable(0)
}
