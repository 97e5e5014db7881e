import Daemon
import TestSupport
import Testing

/// One way to save a file, as commands that a look may fall between.
struct SavePattern: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// Commands of the shell that make `app.yaml` in the folder `conf` hold `new`.
  var steps: [String]
  /// What stands there before, beside `conf/app.yaml` with `old`.
  var layout = ""
  /// How long the watcher waits after the last step, where it cannot see that it was the last.
  var wait = Duration.zero

  init(_ name: String, _ steps: [String], layout: String = "", wait: Duration = .zero) {
    testDescription = name
    self.steps = steps
    self.layout = layout
    self.wait = wait
  }
}

/// The layout of a volume that Kubernetes projects: two links on the way to each file.
private let volume = """
  rm conf/app.yaml; mkdir conf/..v1; echo old > conf/..v1/app.yaml; ln -s ..v1 conf/..data
  ln -s ..data/app.yaml conf/app.yaml
  """

let savePatterns: [SavePattern] = [
  SavePattern("in-place write", ["echo new > conf/app.yaml"]),
  SavePattern("cp over", ["echo new > staged", "cp staged conf/app.yaml"]),
  SavePattern(
    "rename over, from its directory", ["echo new > conf/.new", "mv conf/.new conf/app.yaml"]),
  SavePattern("rename over, from elsewhere", ["echo new > staged", "mv staged conf/app.yaml"]),
  SavePattern("sed -i", ["sed -i s/old/new/ conf/app.yaml"]),
  SavePattern(
    "vim save",
    [
      "echo > conf/4913", "rm conf/4913", "mv conf/app.yaml conf/app.yaml~",
      "echo new > conf/app.yaml", "chmod 644 conf/app.yaml", "rm conf/app.yaml~",
    ]),
  SavePattern(
    "truncate and append",
    [": > conf/app.yaml", "printf n >> conf/app.yaml", "echo ew >> conf/app.yaml"]),
  SavePattern("delete and re-create", ["rm conf/app.yaml", "echo new > conf/app.yaml"]),
  SavePattern("hard link over", ["echo new > staged", "ln -f staged conf/app.yaml"]),
  SavePattern(
    "written by another name", ["echo new > other"],
    layout: "echo old > other; ln -f other conf/app.yaml"),
  SavePattern(
    "linked elsewhere, then written by that name", ["ln conf/app.yaml other", "echo new > other"]),
  SavePattern(
    "link over a file",
    ["echo new > staged", "ln -s ../staged conf/.l", "mv -T conf/.l conf/app.yaml"]),
  SavePattern(
    "link replaced", ["ln -sfn b.yaml conf/app.yaml"],
    layout: "echo old > conf/a.yaml; echo new > conf/b.yaml; ln -sf a.yaml conf/app.yaml"),
  SavePattern(
    "file behind a link written", ["echo new > real/a"],
    layout: "mkdir real; echo old > real/a; ln -sf ../real/a conf/app.yaml"),
  SavePattern(
    "volume swap",
    [
      "mkdir conf/..v2; echo new > conf/..v2/app.yaml", "ln -s ..v2 conf/..data_tmp",
      "mv -T conf/..data_tmp conf/..data", "rm -r conf/..v1",
    ], layout: volume),
  SavePattern(
    "directory is a link, replaced",
    ["ln -s two conf.new", "mv -T conf.new conf"],
    layout: "mkdir two; echo new > two/app.yaml; mv conf one; ln -s one conf"),
  SavePattern(
    "directory moved away and another moved in", ["mv conf gone", "mv next conf"],
    layout: "mkdir next; echo new > next/app.yaml; touch -d -1min next/app.yaml"),
  SavePattern(
    "directory moved away, written, moved back",
    ["mv conf gone", "echo new > gone/app.yaml", "mv gone conf"]),
  SavePattern(
    "directory removed and made again", ["rm -r conf", "mkdir conf", "echo new > conf/app.yaml"],
    wait: .seconds(1)),
  SavePattern(
    "directory appears with its parent, later",
    ["mv conf gone", "mkdir conf", "echo new > conf/app.yaml"], wait: .seconds(1)),
  SavePattern(
    "moved over by a directory of the same name two levels up", ["mv next/conf conf"],
    layout: "rm -r conf; mkdir -p next/conf; echo new > next/conf/app.yaml"),
  SavePattern(
    "made readable again", ["chmod 600 conf/app.yaml"],
    layout: "echo new > conf/app.yaml; chmod 0 conf/app.yaml"),
]

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
      layout: "ln -s . link; mkdir conf; echo old > conf/app.yaml; " + pattern.layout)
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
    #expect(loaded == "new\n")
    expectNothingMissed(folder)
  }
}
