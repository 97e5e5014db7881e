public import Observation

/// A stock registrar in an object: the size of the struct is not known to the compiler, which makes
/// an optional one, and all fields behind it, slow.
@usableFromInline
final class StockRegistrar: Sendable {
  @usableFromInline let registrar = ObservationRegistrar()

  init() {}
}
