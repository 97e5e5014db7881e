import CLinux

/// Keeps the memory of this process, in which secrets lie, to itself: it leaves no core dump, and no
/// other process of its user may read it (prctl(2), `PR_SET_DUMPABLE`).
///
/// A program that it executes is not kept so.
public func keepMemoryPrivate() {
  // No reason to fail is documented for this value.
  _ = prctl_set_dumpable(0)
}

/// Has all threads of the process take their memory from one place.
///
/// By itself malloc(3) gives each thread an arena of its own, and what one thread freed serves no
/// other: a pass on another thread would make the process larger once more (mallopt(3),
/// `M_ARENA_MAX`). To be called before there is another thread.
package func shareMemory() {
  _ = mallopt(M_ARENA_MAX, 1)
}
