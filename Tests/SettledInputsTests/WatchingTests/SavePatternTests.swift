import SettledInputs
import TestSupport
import Testing

/// Where an input is seen from.
enum InputKind: String, CaseIterable, CustomTestStringConvertible {
  case file = "conf/app.yaml"
  case dropIn = "conf/*p.yaml"
  case belowLink = "link/conf/app.yaml"
  case dropInBelowLink = "link/conf/*p.yaml"

  var testDescription: String { rawValue }

  /// The path that is reported.
  var path: String { rawValue.replacing("*p", with: "app") }
}

struct SavePatternTests {
  private func folder(_ kind: InputKind, _ pattern: SavePattern) throws -> WatchedFolder {
    let folder = try WatchedFolder(
      [kind.rawValue],
      layout: "ln -s . link; " + SavePattern.start + pattern.layout)
    #expect(folder.looks() == [])
    return folder
  }

  /// Checks that no change is left that no event told.
  private func expectNothingMissed(_ folder: WatchedFolder) {
    #expect(folder.watcher.compare(at: folder.now) == .rest)
    #expect(folder.watcher.missedByInotify == 0)
  }

  @Test(arguments: savePatterns, InputKind.allCases)
  func `a saved file is looked at once, at once, and again when it is saved again`(
    pattern: SavePattern, kind: InputKind
  ) throws {
    let folder = try folder(kind, pattern)
    try folder.run(pattern.steps.joined(separator: "; "))
    #expect(folder.looks() == [WatchedFolder.Look(moved: [kind.path], after: pattern.wait)])
    for script in ["echo newer > conf/app.yaml", "echo n > conf/.n; mv conf/.n conf/app.yaml"] {
      try folder.run(script)
      #expect(folder.looks() == [WatchedFolder.Look(moved: [kind.path], after: .zero)])
    }
    expectNothingMissed(folder)
  }

  @Test(arguments: savePatterns, [InputKind.file, .dropInBelowLink])
  func `the last state is looked at, whatever is looked at meanwhile`(
    pattern: SavePattern, kind: InputKind
  ) throws {
    let folder = try folder(kind, pattern)
    var loaded: String?
    for step in pattern.steps {
      try folder.run(step)
      if !folder.looks().isEmpty { loaded = folder.folder.read(kind.path) }
    }
    #expect(loaded == "value: new\n")
    expectNothingMissed(folder)
  }
}
