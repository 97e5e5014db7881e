import Glibc

/// One way to save a file, as commands that a look may fall between.
public struct SavePattern: Sendable, CustomStringConvertible {
  /// Its name.
  public var description: String
  /// Commands of the shell that make `app.yaml` in the folder `conf` hold `$NEW`.
  public var steps: [String]
  /// What stands there before, beside `conf/app.yaml` with `$OLD`.
  public var layout = ""
  /// How long the watcher waits after the last step, where it cannot see that it was the last.
  public var wait = Duration.zero

  /// Whether a daemon can start on the layout.
  public var startsWhole = true
  /// What every layout begins with.
  public static let start = "mkdir conf; echo $OLD > conf/app.yaml; "

  init(
    _ name: String, _ steps: [String], layout: String = "", wait: Duration = .zero,
    startsWhole: Bool = true
  ) {
    description = name
    self.steps = steps
    self.layout = layout
    self.wait = wait
    self.startsWhole = startsWhole
  }
}

/// The layout of a volume that Kubernetes projects: two links on the way to each file.
private let volume = """
  rm conf/app.yaml; mkdir conf/..v1; echo $OLD > conf/..v1/app.yaml; ln -s ..v1 conf/..data
  ln -s ..data/app.yaml conf/app.yaml
  """

/// All ways to save a file that are tried.
public let savePatterns: [SavePattern] = [
  SavePattern("in-place write", ["echo $NEW > conf/app.yaml"]),
  SavePattern("cp over", ["echo $NEW > staged", "cp staged conf/app.yaml"]),
  SavePattern(
    "rename over, from its directory", ["echo $NEW > conf/.new", "mv conf/.new conf/app.yaml"]),
  SavePattern(
    "rename over, from elsewhere", ["echo $NEW > staged", "mv staged conf/app.yaml"]),
  SavePattern("sed -i", ["sed -i s/old/new/ conf/app.yaml"]),
  SavePattern(
    "vim save",
    [
      "echo > conf/4913", "rm conf/4913", "mv conf/app.yaml conf/app.yaml~",
      "echo $NEW > conf/app.yaml", "chmod 644 conf/app.yaml", "rm conf/app.yaml~",
    ]),
  SavePattern(
    "truncate and append",
    [
      ": > conf/app.yaml", "printf %.4s \"$NEW\" >> conf/app.yaml",
      "echo $NEW | tail -c +5 >> conf/app.yaml",
    ]),
  SavePattern("delete and re-create", ["rm conf/app.yaml", "echo $NEW > conf/app.yaml"]),
  SavePattern("hard link over", ["echo $NEW > staged", "ln -f staged conf/app.yaml"]),
  SavePattern(
    "written by another name", ["echo $NEW > other"],
    layout: "echo $OLD > other; ln -f other conf/app.yaml"),
  SavePattern(
    "linked elsewhere, then written by that name",
    ["ln conf/app.yaml other", "echo $NEW > other"]),
  SavePattern(
    "link over a file",
    ["echo $NEW > staged", "ln -s ../staged conf/.l", "mv -T conf/.l conf/app.yaml"]),
  SavePattern(
    "link replaced", ["ln -sfn b.yaml conf/app.yaml"],
    layout: "echo $OLD > conf/a.yaml; echo $NEW > conf/b.yaml; ln -sf a.yaml conf/app.yaml"),
  SavePattern(
    "file behind a link written", ["echo $NEW > real/a"],
    layout: "mkdir real; echo $OLD > real/a; ln -sf ../real/a conf/app.yaml"),
  SavePattern(
    "volume swap",
    [
      "mkdir conf/..v2; echo $NEW > conf/..v2/app.yaml", "ln -s ..v2 conf/..data_tmp",
      "mv -T conf/..data_tmp conf/..data", "rm -r conf/..v1",
    ], layout: volume),
  SavePattern(
    "directory is a link, replaced",
    ["ln -s two conf.new", "mv -T conf.new conf"],
    layout: "mkdir two; echo $NEW > two/app.yaml; mv conf one; ln -s one conf"),
  SavePattern(
    "directory moved away and another moved in", ["mv conf gone", "mv next conf"],
    layout: "mkdir next; echo $NEW > next/app.yaml; touch -d -1min next/app.yaml"),
  SavePattern(
    "directory moved away, written, moved back",
    ["mv conf gone", "echo $NEW > gone/app.yaml", "mv gone conf"]),
  SavePattern(
    "directory removed and made again",
    ["rm -r conf", "mkdir conf", "echo $NEW > conf/app.yaml"],
    wait: .seconds(1)),
  SavePattern(
    "directory appears with its parent, later",
    ["mv conf gone", "mkdir conf", "echo $NEW > conf/app.yaml"], wait: .seconds(1)),
  SavePattern(
    "moved over by a directory of the same name two levels up", ["mv next/conf conf"],
    layout: "rm -r conf; mkdir -p next/conf; echo $NEW > next/conf/app.yaml", startsWhole: false
  ),
  SavePattern(
    "made readable again", ["chmod 600 conf/app.yaml"],
    layout: "echo $NEW > conf/app.yaml; chmod 0 conf/app.yaml", startsWhole: false),
]

/// Runs commands of the shell in a folder; one that fails is an error.
public func runShell(_ script: String, in folder: String) throws {
  let status = system("set -e; cd '\(folder)'; \(script)")
  guard status == 0 else { throw ShellFailure(script: script, status: status) }
}

/// Commands of the shell that failed.
public struct ShellFailure: Error {
  /// The commands.
  public var script: String
  /// The status that system(3) gave.
  public var status: CInt
}
