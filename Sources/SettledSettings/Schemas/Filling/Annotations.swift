internal import SettledValues
internal import SettledYAML

extension Schema {
  /// The paths of all that the schema calls secret (`writeOnly: true`), whether it is set or not; of
  /// the entries and elements that have no names in the schema those that are set.
  func secretPaths(in settings: Settings) -> [Path] {
    let walk = SchemaWalk(tables: tables, flag: .holdsSecrets, meetsChoices: true)
    var paths: [Path] = []
    var known: Set<Path> = []
    walk.walk(settings) { number, _, path in
      guard tables.nodes[Int(number)].flags.contains(.isSecret), known.insert(path).inserted else {
        return
      }
      paths.append(path)
    }
    return paths
  }
}

extension Settings {
  /// Warnings of what is set and deprecated.
  func deprecations(_ schema: Schema) -> [Diagnostic] {
    let walk = SchemaWalk(tables: schema.tables, flag: .holdsDeprecated, meetsChoices: false)
    var found: [Diagnostic] = []
    walk.walk(self) { number, node, path in
      let rules = schema.tables.nodes[Int(number)]
      guard rules.flags.contains(.isDeprecated), let node,
        node.reference.layer != 0 || tree.documents[0].file != schema.document.file
      else { return }
      var warning = fault("'\(path)' is deprecated", at: path)
      warning.severity = .warning
      warning.notes = []
      let keywords = schema.document.node(rules.entry)
      warning.hint = (keywords["deprecationMessage"] ?? keywords["description"])?.text
      found.append(warning)
    }
    return found
  }
}
