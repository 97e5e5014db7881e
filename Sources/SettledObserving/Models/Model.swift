public import Observation

/// An `@Observable` class that keeps all rules of observation.
///
/// One line lets its reads and changes reach the graph; without it, the class does not compile.
/// The class and its subclasses are confined to ``ObservingActor``.
///
/// ```swift
/// @Observable final class Limits: Model {
///   @ObservationIgnored let _$observationRegistrar = Tracking()
///   var maxOpen = 10
/// }
/// ```
///
/// A model should not be `Equatable`: the `@Observable` macro takes an equal other instance for no
/// change, and observers would go on watching the former one.
@ObservingActor
public protocol Model: AnyObject, Observable {
  // The name is the one that the code made by the macro uses.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// What the code made by the `@Observable` macro reports to.
  nonisolated var _$observationRegistrar: Tracking { get }
}
