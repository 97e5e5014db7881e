import Generations
import Glibc
import SettledInputs
import SettledObserving
import SettledValues
import Targets
import TestSupport
import Testing

/// What a plan shows against what its apply does, for random settings and targets.
@Suite struct PlannedApplyTests {
  @Test(arguments: 0..<40)
  func `what a plan shows is byte for byte what is applied, and nothing else is`(seed: Int) throws {
    var dice = Dice(seed)
    let machine = try RandomMachine()
    var applied = 0
    for round in 0..<8 {
      try machine.change(&dice)
      guard let candidate = try machine.prepare() else { continue }
      // What it shows of a file is read from the disk.
      let text = candidate.plan.text
      let context = "seed \(seed), round \(round): \(text)"
      let before = machine.files
      let done = try machine.apply(candidate)
      #expect(done == candidate.plan.actions, "\(context)")
      let shown = try shown(text, on: before)
      let files = machine.files
      let differing = Set(shown.keys).union(files.keys).filter { shown[$0] != files[$0] }
      for path in differing {
        let (found, wanted) = (files[path], shown[path])
        #expect(found == wanted, "\(path), \(context)")
      }
      #expect(
        actionLines(text)
          == done.map { "\($0.action.text) (for \($0.targets.joined(separator: ", ")))" },
        "\(context)")
      let again = try #require(try machine.prepare())
      #expect(again.plan.text == "nothing to do\n", "\(context)")
      applied += candidate.plan.files.count
    }
    #expect(applied > 0)
  }

  /// What the text of a plan makes of files, by its lines alone.
  private func shown(
    _ text: String, on before: [String: MachineFile]
  ) throws -> [String: MachineFile] {
    var files = before
    for part in parts(text) where !isAction(part) {
      let words = part[0].split(separator: " ", maxSplits: 2).map(String.init)
      let rest = words[2].split(separator: " (", maxSplits: 1).map(String.init)
      let path = rest[0].hasPrefix("owner or mode of ") ? String(rest[0].dropFirst(17)) : rest[0]
      if words[1] == "remove" {
        #expect(files.removeValue(forKey: path) != nil)
        continue
      }
      var file = files[path] ?? MachineFile(text: "", mode: "0644")
      if let mode = rest.dropFirst().first?.dropLast().split(separator: " ").last {
        file.mode = String(mode)
      }
      let difference = part.dropFirst(2).map { $0 + "\n" }.joined()
      file.text = try #require(patched(file.text, by: difference), "\(part)")
      files[path] = file
    }
    return files
  }

  private func actionLines(_ text: String) -> [String] {
    parts(text).filter(isAction).map { $0[0] }
  }

  /// The steps of a plan, each as its lines.
  private func parts(_ text: String) -> [[String]] {
    var parts: [[String]] = []
    var isNew = true
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.isEmpty {
        isNew = true
      } else if isNew {
        parts.append([String(Substring(line))])
        isNew = false
      } else {
        parts[parts.count - 1].append(String(Substring(line)))
      }
    }
    return parts.filter { $0 != ["nothing to do"] }
  }

  private func isAction(_ part: [String]) -> Bool { part[0].contains(" (for ") }
}

/// A file as a test compares it.
struct MachineFile: Equatable {
  var text: String
  var mode: String

  static func == (left: Self, right: Self) -> Bool {
    left.mode == right.mode && left.text.utf8.elementsEqual(right.text.utf8)
  }
}

/// A manifest, settings and files that change at random, and what applies them.
private final class RandomMachine {
  private let directory: TemporaryDirectory
  private let generator: Generator
  private var targets: [String: String] = [:]

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["state", "root", "root/etc"] { mkdir(directory.path(name), 0o755) }
    try directory.write("somebody else's\n", to: "root/etc/other")
    let (manifest, root) = (directory.path("settled.yaml"), directory.path("root"))
    let state = directory.path("state")
    generator = ObservingActor.sync {
      Generator(manifest: manifest, root: root, stateDirectory: state)
    }
  }

  /// Changes settings always, at times targets, and at times a file behind the daemon's back.
  func change(_ dice: inout Dice) throws {
    try directory.write(JSON.text(.map(dice.settings())), to: "shop.yaml")
    for name in ["a", "b", "c", "d", "e"] where dice.roll(3) == 0 || targets[name] == nil {
      targets[name] = dice.roll(4) == 0 ? nil : dice.target(name)
    }
    let lines = targets.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)\n" }
    try directory.write(
      "layers: [shop.yaml]\ntargets:\(lines.isEmpty ? " {}" : "")\n" + lines.joined(),
      to: "settled.yaml")
    if dice.roll(3) == 0 { try directory.write("by hand", to: "root/etc/a") }
    if dice.roll(4) == 0 { unlink(directory.path("root/etc/b")) }
    if dice.roll(4) == 0 { chmod(directory.path("root/etc/c"), 0o640) }
  }

  /// A candidate; nil where the inputs are refused, and nothing is touched then.
  func prepare() throws -> Candidate? {
    let before = files
    let generator = generator
    let preparation = ObservingActor.sync { generator.prepare() }
    #expect(files == before)
    if case .candidate(let candidate) = preparation { return candidate }
    return nil
  }

  /// Applies a candidate, and gives the actions done.
  func apply(_ candidate: Candidate) throws -> [ActionStep] {
    let runner = NotingRunner()
    let applier = Applier(stateDirectory: directory.path("state"), runner: runner)
    _ = try applier.apply(candidate.plan, isCurrent: { true }, filesInPlace: {})
    let generator = generator
    _ = ObservingActor.sync { generator.accept() }
    return runner.done
  }

  /// All files below the root, by their paths.
  var files: [String: MachineFile] {
    var found: [String: MachineFile] = [:]
    var folders = [directory.path("root")]
    while let folder = folders.popLast() {
      for name in names(in: folder) {
        let path = folder + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          folders.append(path)
        } else {
          found[path] = MachineFile(
            text: String(decoding: readFile(path) ?? [], as: UTF8.self),
            mode: "0" + String(status.st_mode & 0o7777, radix: 8))
        }
      }
    }
    return found
  }
}

/// Notes the actions it is asked for, and does none.
private final class NotingRunner: ActionRunner {
  private(set) var done: [ActionStep] = []

  func run(_ step: ActionStep) -> ActionResult {
    done.append(step)
    return .done
  }

  func confirm() -> (step: ActionStep, reason: String)? { nil }
}

extension Dice {
  private static let texts = [
    "", "plain", "two words", "line\nbreak\n", "a\r\nb", "ümläut", "quo\"te", "it's",
    "# no comment", "a=b", "$HOME `id` \\n", "yes", "0755", " padded ", "{{ a }}", "\u{2028}",
    "- x", "[x]\n",
  ]

  /// Settings: `n`, `t`, a tree `v`, a map of scalars `m`, and `sites`.
  fileprivate mutating func settings() -> ValueMap {
    let names = ["one", "two", "three", "four"]
    let sites: [(Value, Value)] = names.compactMap { name in
      roll(3) == 0
        ? nil
        : (
          .string(name),
          ["text": .string(text()), "is_on": .bool(roll(3) > 0), "size": .int(Int64(roll(5)))]
        )
    }
    let scalars = (0..<roll(5)).map { number in (Value.string("k\(number)"), leaf()) }
    return [
      "n": .int(Int64(roll(3))), "t": .string(text()), "v": tree(depth: 2),
      "m": .map(ValueMap(scalars)), "sites": .map(ValueMap(sites)),
    ]
  }

  private mutating func text() -> String { Self.texts[roll(Self.texts.count)] }

  private mutating func leaf() -> Value {
    switch roll(4) {
    case 0: .int(Int64(roll(1000)) - 500)
    case 1: .bool(roll(2) == 0)
    case 2: .double(Double(roll(100)) / 8)
    default: .string(text())
    }
  }

  private mutating func tree(depth: Int) -> Value {
    switch depth > 0 ? roll(3) : 2 {
    case 0: return .list((0..<roll(4)).map { _ in tree(depth: depth - 1) })
    case 1:
      return .map(
        ValueMap((0..<roll(4)).map { (Value.string("k\($0)"), tree(depth: depth - 1)) }))
    default: return leaf()
    }
  }

  /// A target as the manifest has it, in one line.
  fileprivate mutating func target(_ name: String) -> String {
    let formats = ["json", "yaml", "toml", "env", "ini"]
    var keys: [String]
    switch roll(6) {
    case 0: keys = ["file: /etc/\(name), value: v, format: \(formats[roll(2)])"]
    case 1: keys = ["file: /etc/\(name), value: m, format: \(formats[roll(5)])"]
    case 2: keys = ["file: /etc/\(name), content: \"{{ t }}|{{ n }}\\n{{ t }}\""]
    case 3:
      keys = [
        "file: \"/etc/\(name)-{{ x.key }}\", each: sites, as: x, when: x.value.is_on",
        "content: \"{% if x.value.size > 2 %}{% for s in sites %}{{ s }}\\n{% endfor %}"
          + "{% endif %}{{ x.value.text }}\"",
      ]
    case 4: keys = ["file: /etc/deep/\(name)/here, make_directories: true, content: \"{{ n }}\\n\""]
    default: keys = ["follows: n"]
    }
    if keys[0].hasPrefix("file"), roll(3) == 0 { keys.append("mode: \"06\(roll(4))\(roll(4))\"") }
    if keys[0].hasPrefix("file"), roll(3) == 0 { keys.append("drift: repair") }
    let actions = [
      "reload: u\(roll(2)).service", "restart: u\(roll(2)).service", "run: [tell, \"{{ n }}\"]",
      "run: [refresh]", "signal: {unit: u0.service, name: HUP}",
    ]
    if keys[0].hasPrefix("follows") || roll(3) > 0 { keys.append(actions[roll(actions.count)]) }
    return "{\(keys.joined(separator: ", "))}"
  }
}
