#!/usr/bin/env python3
"""Prints what other implementations of CEL do: packaging/bench/cel-peers.py [VENV]

Evaluations a second of the expressions of 'settled-bench expressions', compiled once, by the
packages common-expression-language (Rust) and cel-expr-python (Google's C++), both called from
Python. They are installed into VENV (default .build/cel-peers) if they are not there.
"""

import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from peers import enter  # noqa: E402

PEERS = ["common-expression-language", "cel-expr-python"]
ROWS = [
    ("a.b.c * 4 + 1", {"a": {"b": {"c": 5}}}, 21),
    ('name + "-" + suffix + ".example.org"', {"name": "database", "suffix": "01"},
     "database-01.example.org"),
    ('port > 0 && port < 65536 && host.startsWith("db") && mode in ["ro", "rw"]',
     {"port": 5432, "host": "db01", "mode": "ro"}, True),
]
for count in (10, 100):
    items = {"items": list(range(count))}
    ROWS += [
        ("items.map(x, x * 2)", items, [x * 2 for x in range(count)]),
        ("items.filter(x, x % 2 == 0)", items, [x for x in range(count) if x % 2 == 0]),
        (f"items.exists(x, x == {count - 1})", items, True),
    ]


def rust(source, names):
    import cel

    program, context = cel.compile(source), cel.Context(variables=names)
    return lambda: program.execute(context)


def google(source, names):
    from cel_expr_python import cel

    environment = cel.NewEnv(variables={name: cel.Type.DYN for name in names})
    program = environment.compile(source)
    activation = environment.Activation(names)
    return lambda: program.eval(activation)


def rate(run):
    best = 0
    for _ in range(4):
        count, start = 0, time.process_time()
        while time.process_time() - start < 0.2:
            for _ in range(20):
                run()
            count += 20
        best = max(best, count / (time.process_time() - start))
    return best


def plain(value):
    """A result as Python's own values."""
    value = value.value() if hasattr(value, "value") else value
    return [plain(element) for element in value] if isinstance(value, list) else value


def cell(peer, source, names, expected):
    try:
        run = peer(source, names)
        if plain(run()) != expected:
            return "wrong result"
        return f"{rate(run) / 1000:,.0f}k"
    except Exception as error:  # a peer without the function, or with another API
        return f"{type(error).__name__}: {error}"[:60]


def main():
    if "--inside" not in sys.argv:
        enter(sys.argv[1] if len(sys.argv) > 1 else ".build/cel-peers", PEERS)
    print("| expression | common-expression-language | cel-expr-python |")
    print("|---|---:|---:|")
    for source, names, expected in ROWS:
        note = f" over {len(names['items'])}" if "items" in names else ""
        cells = [cell(peer, source, names, expected) for peer in (rust, google)]
        print(f"| `{source}`{note} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
