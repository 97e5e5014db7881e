/// Runs `body` as one change: handlers run once, after it, and see all of it.
///
/// A transaction inside another is a part of it. If `body` throws, what it changed so far stays
/// changed and is told; check first, then change.
@inlinable
@ObservingActor
public func transaction<Answer>(
  _ body: @ObservingActor () throws -> Answer
) rethrows -> Answer {
  Graph.beginTransaction()
  defer { Graph.endTransaction() }
  return try body()
}

/// Reads inside `body` without depending on what was read.
///
/// It covers models, memos, cells and dependencies; what it reads of plain `@Observable` objects is
/// depended on all the same.
@inlinable
@ObservingActor
public func untracked<Answer>(
  _ body: @ObservingActor () throws -> Answer
) rethrows -> Answer {
  try Graph.untracked(body)
}
