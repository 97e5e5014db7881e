import Generations
import Options

extension Program {
  /// The page settled.yaml(5), whose keys are those of the manifest's table.
  var manifestManual: String {
    manual(
      of: "settled.yaml", summary: "what settled reads and keeps in step",
      path: Pass.standardManifest,
      sections: Self.manifestStart + ManifestSection.all.map(ManualSection.init)
        + Self.manifestEnd)
  }

  private static let manifestStart = [
    ManualSection(
      "DESCRIPTION",
      [
        "The manifest of settled(8) is a YAML file. It names the layers of settings, the values that "
          + "are computed from them, and the targets: files and actions that follow. It is followed "
          + "like every other input: an edit of it is applied by itself.",
        "'settlectl check' tries a manifest without applying it, 'settlectl plan' tells what it would "
          + "change, and 'settlectl schema' gives its JSON Schema, for editors. Paths are relative to "
          + "its directory. A key that is not known is an error.",
      ])
  ]

  private static let manifestEnd = [
    ManualSection(
      "SETTINGS",
      [
        "Later layers win, key by key; lists are replaced whole; a written null unsets what lower "
          + "layers say. A plain scalar is read as what the schema, or who reads it, asks for; what "
          + "YAML 1.1 and 1.2 read differently (0755, yes, 1:30) stays a string, with a warning. A "
          + "key with nothing after it, a duplicate key and a second document are errors. A layer "
          + "that had content and has none any more is refused; {} says empty.",
        "What a secret layer holds, and what the schema calls writeOnly, is shown as (secret), and so "
          + "is all that reads it.",
      ]),
    ManualSection(
      "EXPRESSIONS",
      [
        "Expressions are CEL (github.com/google/cel-spec). Names are settings, derived values, "
          + "'settings' for all of them (settings[\"my-app\"].port) and 'facts': hostname, fqdn, "
          + "cpus, memory in bytes, os_id, os_version, arch. {{ EXPRESSION }} in a text takes a "
          + "string, integer, boolean or number; json() writes anything else. 'settlectl eval' tries "
          + "one.",
        "A template is text with {{ EXPRESSION }}, {% if %}, {% for %}, {% set %} and {% include %} as "
          + "in Jinja2. What a target reads is tracked, not declared: it is made again when that "
          + "changes, and only then.",
      ]),
    ManualSection(
      "COMMANDS",
      [
        "A command is a list: the program and its arguments, each a text with {{ EXPRESSION }}. No "
          + "shell is involved. 'check' runs on the new file before it is put in place, and "
          + "{{ staged }} is its path; 'verify' and 'run' come later. In all of them {{ file }} is the "
          + "path in the manifest, which in 'check' still has the old file.",
        "The environment is PATH, SETTLED_TARGET, SETTLED_FILE, and SETTLED_STAGED in 'check'. A "
          + "'run' that several targets ask for with the same arguments runs once, without the "
          + "names of a target and a file.",
      ]),
    ManualSection(
      "EXAMPLES",
      lines: [
        "layers:", "  - shop.yaml", "  - shop.d/*.yaml", "derived:",
        "  listen: http.host + \":\" + string(http.port)", "targets:", "  site:",
        "    file: /etc/nginx/conf.d/shop.conf", "    template: nginx.conf.tmpl",
        "    verify: [nginx, -t]", "    reload: nginx.service",
      ]),
    ManualSection("SEE ALSO", ["settled(8), settlectl(1)"]),
  ]
}

extension ManualSection {
  /// The keys of a map of the manifest.
  fileprivate init(_ section: ManifestSection) {
    self.init(
      "KEYS OF \(section.title.uppercased())",
      rows: section.keys.map { key in
        Example("\(key.name): \(key.shape.form)", key.doc + (key.remark.map { " (\($0))" } ?? ""))
      })
  }
}
