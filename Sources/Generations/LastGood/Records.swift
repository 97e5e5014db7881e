public import SettledInputs
public import Targets

/// The files in the state directory that tell what is in force: its inputs, and what was applied.
///
/// It knows what they hold, so that what is written of a generation is about as much as what it changes.
public struct Records: Sendable {
  /// What was found in the state directory.
  public struct Found: Sendable {
    /// The inputs of the last good generation, nil where none are stored whole.
    public var lastGood: StoredInputs?
    /// What was applied.
    public var applied: Applied
    /// The files of what was applied that are damaged or lost.
    public var damaged: [String]
  }

  /// The files that are to tell what is in force once a candidate is.
  public struct Update: Sendable {
    /// The files that may differ.
    public var files: [DesiredFile]
    fileprivate var inputs: StoredInputs?
    fileprivate var applied: Applied?
  }

  private let lastGood: LastGood
  private let appliedFiles: AppliedFiles
  /// What the files hold; nil where that is not known.
  private var inputs: StoredInputs?
  private var applied: Applied?

  /// The records of a state directory, of which nothing is known.
  public init(stateDirectory: String) {
    lastGood = LastGood(stateDirectory: stateDirectory)
    appliedFiles = AppliedFiles(stateDirectory: stateDirectory)
  }

  /// Reads what the files hold.
  ///
  /// - Throws: why it cannot be read what was applied.
  public mutating func load() throws(SystemError) -> Found {
    let found = try appliedFiles.load()
    inputs = lastGood.load()
    applied = found.stored
    return Found(lastGood: inputs, applied: found.applied, damaged: found.damaged)
  }

  /// What is to be written for a candidate, with which `applied` is what was applied.
  public func update(for candidate: Candidate, _ applied: Applied) -> Update {
    guard candidate.isNew || !candidate.plan.isEmpty || self.applied == nil else {
      return Update(files: [])
    }
    var update = Update(files: [], applied: applied)
    if candidate.isNew {
      let inputs = StoredInputs(number: candidate.number, candidate.inputs, after: self.inputs)
      update.files = lastGood.files(holding: inputs, after: self.inputs)
      update.inputs = inputs
    }
    update.files += appliedFiles.files(holding: applied, after: self.applied)
    return update
  }

  /// Takes in that the files of an update are in place.
  public mutating func take(_ update: Update) {
    applied = update.applied ?? applied
    guard let inputs = update.inputs else { return }
    lastGood.removeParts(of: self.inputs, besides: inputs)
    self.inputs = inputs
  }

  /// Takes in that it is not known what the files hold.
  public mutating func forget() { (inputs, applied) = (nil, nil) }

  /// Puts what was applied on the disk at once.
  ///
  /// - Throws: why it cannot; it is kept with the next generation then.
  public mutating func store(_ applied: Applied) throws(SystemError) {
    let former = self.applied
    self.applied = nil
    try appliedFiles.store(applied, after: former)
    self.applied = applied
  }
}
