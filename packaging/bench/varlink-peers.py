#!/usr/bin/env python3
"""Prints calls a second of PyPI's varlink and of ours, in one run: packaging/bench/varlink-peers.py [VENV]

The package varlink is installed into VENV (default .build/varlink-peers) if it is not there.
"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
from peers import enter  # noqa: E402

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".build", "release",
                     "settled-bench")


def main():
    if "--inside" not in sys.argv:
        enter(sys.argv[1] if len(sys.argv) > 1 else ".build/varlink-peers", ["varlink"])
    subprocess.run([BENCH, "varlink"], check=True,
                   env={**os.environ, "SETTLED_PYTHON": sys.executable})


main()
