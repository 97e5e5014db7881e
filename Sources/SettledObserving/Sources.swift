extension Memo {
  /// What tells this memo from other memos and dependencies that are alive.
  public var identity: ObjectIdentifier { ObjectIdentifier(node) }

  /// What the last evaluation read itself: the identities of dependencies and memos, in the order in
  /// which they were read.
  public var sources: [ObjectIdentifier] { node.sources.map { ObjectIdentifier($0.node) } }
}

extension Dependency {
  /// What tells this dependency from others that are alive.
  public var identity: ObjectIdentifier { ObjectIdentifier(node) }
}

extension ObservingActor {
  /// How often memos and observers have been evaluated since the program started.
  @ObservingActor public static var evaluationCount: Int { Graph.readings }
}
