import Generations
import SettledValues
import Targets
import TestSupport
import Testing

@Suite struct PlanTests {
  @Test func `exactly the targets that read what changed are written again`() throws {
    let shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      derived:
        listen: host + ":" + string(port)
        double: port / 10 * 2
      targets:
        listen: {file: /listen, content: "{{ listen }}"}
        double: {file: /double, content: "{{ double }}"}
        name: {file: /name, content: "{{ name }}"}
      """,
      "shop.yaml": "host: a\nport: 80\nname: shop\n",
    ])
    #expect(try shop.settle().lines == ["create listen", "create double", "create name"])
    #expect(shop.text("/listen") == "a:80")
    #expect(try shop.settle().lines == [])
    try shop.directory.write("# a comment\nname: shop\nhost: a\nport: 80\n", to: "shop.yaml")
    #expect(try shop.settle().lines == [])
    try shop.directory.write("host: a\nport: 81\nname: shop\n", to: "shop.yaml")
    #expect(try shop.settle().lines == ["replace listen"], "81 / 10 is still 8")
    try shop.directory.write("host: a\nport: 90\nname: store\n", to: "shop.yaml")
    #expect(try shop.settle().lines == ["replace listen", "replace double", "replace name"])
  }

  @Test func `an edited schema is a reload, and only what it changes is written again`() throws {
    let shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      schema: shop.schema.yaml
      targets:
        port: {file: /port, content: "{{ port }}"}
        version: {file: /version, content: "{{ version }}"}
      """,
      "shop.yaml": "version: 1.10\n",
      "shop.schema.yaml": "properties: {port: {default: 80}, version: {type: string}}\n",
    ])
    #expect(try shop.settle().lines == ["create port", "create version"])
    #expect(shop.text("/version") == "1.10")
    #expect(try shop.settle().lines == [])
    try shop.directory.write(
      "properties: {port: {default: 81}, version: {type: string}}\n", to: "shop.schema.yaml")
    #expect(try shop.settle().lines == ["replace port"])
    try shop.directory.write(
      "properties: {port: {default: 81}, version: {type: number}}\n", to: "shop.schema.yaml")
    #expect(try shop.settle().lines == ["replace version"])
    #expect(shop.text("/version") == "1.1")
    try shop.directory.write(
      "properties: {port: {default: 81, maximum: 80}}\n", to: "shop.schema.yaml")
    #expect(throws: Refusal.self) { try shop.prepare() }
  }

  @Test func `white space around blocks is as the target says, also with one template for two`()
    throws
  {
    let text = """
      {% for x in xs %}
      {# one #}
        {% if x > 1 %}
        {{ x }}
        {% endif %}
      {% endfor %}

      """
    let manifest = """
      layers: [shop.yaml]
      targets:
        plain: {file: /plain, template: list.tmpl}
        trim: {file: /trim, template: list.tmpl, trim_blocks: true}
        strip: {file: /strip, template: list.tmpl, lstrip_blocks: true}
        both: {file: /both, template: list.tmpl, trim_blocks: true, lstrip_blocks: true}
        inline:
          file: /inline
          trim_blocks: true
          lstrip_blocks: true
          content: |
            {% for x in xs %}
              {% if x > 1 %}
            {{ x }}
              {% endif %}
            {% endfor %}

      """
    let shop = try Shop([
      "settled.yaml": manifest, "shop.yaml": "xs: [1, 2]\n", "list.tmpl": text,
    ])
    try shop.settle()
    // What Jinja2 3.1.6 renders with keep_trailing_newline.
    #expect(shop.text("/plain") == "\n\n  \n\n\n  \n  2\n  \n\n")
    #expect(shop.text("/trim") == "      2\n  ")
    #expect(shop.text("/strip") == "\n\n\n\n\n\n  2\n\n\n")
    #expect(shop.text("/both") == "  2\n")
    #expect(shop.text("/inline") == "2\n")
    try shop.directory.write(
      manifest.split(separator: "list.tmpl, trim_blocks: true}").joined(separator: "list.tmpl}"),
      to: "settled.yaml")
    let plan = try shop.settle()
    #expect(plan.lines == ["replace trim"])
    #expect(plan.reasons["trim"]?.contains("trim_blocks") == true)
  }

  private let vhosts = [
    "settled.yaml": """
    layers: [shop.yaml]
    targets:
      vhost:
        each: vhosts
        as: host
        when: host.value.enabled
        file: /sites/{{ host.key }}.conf
        content: "{{ host.key }} {{ host.value.port }}"
        reload: nginx.service
    """,
    "shop.yaml": """
    vhosts:
      shop: {port: 80, enabled: true}
      blog: {port: 81, enabled: true}
      wiki: {port: 82, enabled: false}
    """,
  ]

  @Test func `each entry makes an instance, and depends on its own entry only`() throws {
    let shop = try Shop(vhosts)
    #expect(
      try shop.settle().lines
        == ["create vhost[shop]", "create vhost[blog]", "reload nginx.service"])
    #expect(shop.text("/sites/blog.conf") == "blog 81")
    try shop.directory.write(
      """
      vhosts:
        shop: {port: 80, enabled: true}
        blog: {port: 8181, enabled: true}
        wiki: {port: 82, enabled: false}
      """, to: "shop.yaml")
    #expect(try shop.settle().lines == ["replace vhost[blog]", "reload nginx.service"])
  }

  @Test func `an instance that is wanted no more takes its file away, unless somebody changed it`()
    throws
  {
    let shop = try Shop(vhosts)
    try shop.settle()
    try shop.directory.write("edited by hand", to: "root/sites/blog.conf")
    try shop.directory.write("vhosts: {shop: {port: 80, enabled: false}}\n", to: "shop.yaml")
    let candidate = try shop.prepare()
    #expect(candidate.plan.lines == ["remove vhost[shop]", "reload nginx.service"])
    #expect(candidate.warnings.map(\.message).contains { $0.contains("somebody changed") })
    try shop.settle()
    #expect(shop.names("/sites") == ["blog.conf"])
    #expect(shop.text("/sites/blog.conf") == "edited by hand")
  }

  @Test func `a command of an instance that is gone runs unless it reads the entry`() throws {
    let shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      targets:
        key: {each: sites, as: it, file: "/key-{{ it.key }}", content: x, run: [a, "{{ it.key }}"]}
        value: {each: sites, as: it, file: "/{{ it.key }}", content: x, run: [b, "{{ it.value }}"]}
      """,
      "shop.yaml": "sites: {shop: 1, blog: 2}\n",
    ])
    try shop.settle()
    try shop.directory.write("sites: {shop: 1}\n", to: "shop.yaml")
    let candidate = try shop.prepare()
    #expect(candidate.plan.lines == ["remove key[blog]", "remove value[blog]", "run 'a'"])
    guard case .run(let command)? = candidate.plan.actions.first?.action else { return }
    #expect(command.arguments == ["a", "blog"])
    #expect(candidate.warnings.map(\.message).contains { $0.contains("'run' of 'value[blog]'") })
  }

  @Test func `a list makes instances by position`() throws {
    let shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      targets:
        node: {each: nodes, as: node, file: "/{{ node.key }}", content: "{{ node.value }}"}
      """,
      "shop.yaml": "nodes: [a, b]\n",
    ])
    #expect(try shop.settle().lines == ["create node[0]", "create node[1]"])
    #expect(shop.text("/1") == "b")
  }

  @Test func `a followed value acts when it changes, and only then`() throws {
    let shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      targets:
        cache:
          follows: cache.mb * 2
          run: [resize, "{{ cache.mb }}", "{{ argument }}"]
      """,
      "shop.yaml": "cache: {mb: 1}\nargument: x\n",
    ])
    let first = try shop.settle()
    #expect(first.lines == ["run 'resize'"])
    #expect(try shop.settle().lines == [])
    try shop.directory.write("cache: {mb: 1}\nargument: y\n", to: "shop.yaml")
    #expect(try shop.settle().lines == [], "a changed argument alone runs nothing")
    try shop.directory.write("cache: {mb: 2}\nargument: y\n", to: "shop.yaml")
    guard case .run(let command)? = try shop.settle().actions.first?.action else {
      Issue.record("no command")
      return
    }
    #expect(command.arguments == ["resize", "2", "y"])
    #expect(command.environment == ["SETTLED_TARGET": "cache"])
  }

  @Test func `a check is told the staged file, as argument and in its environment`() throws {
    let shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      targets:
        proxy:
          file: /proxy.cfg
          content: "x"
          check: [haproxy, -c, -f, "{{ staged }}"]
          verify: [haproxy, -c, -f, "{{ file }}"]
          timeout: 3s
          required: false
          restart: haproxy.service
      """,
      "shop.yaml": "a: 1\n",
    ])
    let plan = try shop.prepare().plan
    let step = try #require(plan.files.first)
    let check = try #require(plan.checks.first?.command)
    #expect(check.arguments == ["haproxy", "-c", "-f", step.staged])
    #expect(
      check.environment == [
        "SETTLED_TARGET": "proxy", "SETTLED_FILE": step.destination, "SETTLED_STAGED": step.staged,
      ])
    #expect(check.timeout == .seconds(3))
    #expect(
      plan.verifications.first?.command.arguments == ["haproxy", "-c", "-f", step.destination])
    #expect(plan.actions.map(\.isRequired) == [false])
  }

  @Test(arguments: [
    (#"[test, -s, "{{ staged }}"]"#, nil),
    (#"[sh, -c, 'test -s "$SETTLED_STAGED"']"#, nil),
    (
      #"[test, -s, "{{ file }}"]"#,
      "'check' of target 'site' is not told the new file, which is not in its place yet"
    ),
  ])
  func `a check that looks at the old file is told`(check: String, warning: String?) throws {
    let shop = try Shop([
      "settled.yaml": "layers: []\ntargets: {site: {file: /a, content: x, check: \(check)}}\n"
    ])
    #expect(try shop.prepare().warnings.map(\.message) == (warning.map { [$0] } ?? []))
  }

  @Test func `a command to run is told its file; the same one runs once for many targets`() throws {
    let shop = try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      targets:
        one: {file: /one, content: "{{ a }}", run: [tell, "{{ file }}"]}
        cert: {file: /cert, content: "{{ a }}", run: [refresh, all], timeout: 3s}
        key: {file: /key, content: "{{ a }}", run: [refresh, all], timeout: 5s, required: false}
        host:
          each: hosts
          file: "/{{ each.key }}"
          content: h
          run: [tell, "{{ file }}", "{{ each.value }}"]
      """,
      "shop.yaml": "a: 1\nhosts: {x: 1, y: 2}\n",
    ])
    let steps = try shop.settle().actions
    let commands = steps.compactMap { step in
      if case .run(let command) = step.action { command } else { nil }
    }
    func path(_ name: String) -> String { shop.directory.path("root/" + name) }
    #expect(
      commands.map(\.arguments) == [
        ["tell", path("one")], ["refresh", "all"], ["tell", path("x"), "1"],
        ["tell", path("y"), "2"],
      ])
    #expect(
      commands.map(\.environment) == [
        ["SETTLED_TARGET": "one", "SETTLED_FILE": path("one")], [:],
        ["SETTLED_TARGET": "host[x]", "SETTLED_FILE": path("x")],
        ["SETTLED_TARGET": "host[y]", "SETTLED_FILE": path("y")],
      ])
    #expect(steps[1].targets == ["cert", "key"])
    #expect((steps[1].isRequired, commands[1].timeout) == (true, .seconds(5)))
    #expect(steps.count == 4)
    try shop.directory.write("a: 1\nhosts: {y: 2}\n", to: "shop.yaml")
    #expect(try shop.settle().lines == ["remove host[x]"], "its value is gone with it")
  }
}
