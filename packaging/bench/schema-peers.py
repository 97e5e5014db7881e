#!/usr/bin/env python3
"""Prints what other validators of JSON Schema do, and settled's: packaging/bench/schema-peers.py [VENV]

Validations a second of settings.json against settings.schema.json (both beside this script) by the
packages jsonschema-rs (Rust) and jsonschema (Python), the schema compiled once, then the same by
'settled-bench schema' of a release build, in the same run. The packages are installed into VENV
(default .build/schema-peers) if they are not there.
"""

import json
import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from peers import enter  # noqa: E402

PEERS = ["jsonschema-rs", "jsonschema"]
HERE = os.path.dirname(os.path.abspath(__file__))


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def rate(run):
    best = 0
    for _ in range(5):
        count, start = 0, time.process_time()
        while time.process_time() - start < 0.3:
            for _ in range(50):
                assert run()
            count += 50
        best = max(best, count / (time.process_time() - start))
    return best


def main():
    if "--inside" not in sys.argv:
        enter(sys.argv[1] if len(sys.argv) > 1 else ".build/schema-peers", PEERS)
    import jsonschema
    import jsonschema_rs

    schema, settings = read("settings.schema.json"), read("settings.json")
    rust = jsonschema_rs.Draft202012Validator(schema)
    python = jsonschema.Draft202012Validator(schema)
    print("| validator | validations a second |")
    print("|---|---:|")
    print(f"| jsonschema-rs | {rate(lambda: rust.is_valid(settings)):,.0f} |", flush=True)
    print(f"| jsonschema | {rate(lambda: python.is_valid(settings)):,.0f} |", flush=True)
    print()
    bench = os.path.join(HERE, "..", "..", ".build", "release", "settled-bench")
    return subprocess.run([bench, "schema", HERE]).returncode


if __name__ == "__main__":
    sys.exit(main())
