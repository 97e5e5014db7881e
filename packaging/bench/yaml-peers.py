#!/usr/bin/env python3
"""Prints what other readers of YAML take for the files of 'settled-bench yaml': packaging/bench/yaml-peers.py [VENV]

Processor time as a multiple of libyaml's bare events, all in one run and on one file: yaml-cpp of
Debian (a tree), the packages rapidyaml (a tree) and PyYAML (CSafeLoader: Python's values) of PyPI, and
ours from bytes to located nodes. The packages are installed into VENV (default .build/yaml-peers) if
they are not there; a row whose library is absent says so.
"""

import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from peers import enter  # noqa: E402

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".build", "release",
                     "settled-bench")
ROUNDS = 5
YAML_CPP = r"""
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <yaml-cpp/yaml.h>
int main(int, char **arguments) {
  std::ifstream file(arguments[1]);
  std::stringstream text;
  text << file.rdbuf();
  for (int round = 0; round < atoi(arguments[2]); round++) {
    clock_t start = clock();
    { YAML::Node node = YAML::Load(text.str()); }
    std::printf("%f\n", double(clock() - start) / CLOCKS_PER_SEC);
  }
}
"""


def median(times):
    return sorted(times)[len(times) // 2]


def timed(run):
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return median(times)


def yaml_cpp(path, folder):
    program = os.path.join(folder, "yaml-cpp")
    if not os.path.exists(program):
        source = program + ".cpp"
        with open(source, "w", encoding="utf-8") as file:
            file.write(YAML_CPP)
        built = subprocess.run(["clang++", "-O2", source, "-lyaml-cpp", "-o", program],
                               stderr=subprocess.DEVNULL)
        if built.returncode != 0:
            return None
    printed = subprocess.run([program, path, str(ROUNDS)], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    return median([float(line) for line in printed.split()])


def rapidyaml(path, _):
    import ryml

    with open(path, "rb") as file:
        data = file.read()
    return timed(lambda: ryml.parse_in_arena(data))


def pyyaml(path, _):
    import yaml

    with open(path, "rb") as file:
        data = file.read()
    return timed(lambda: yaml.load(data, Loader=yaml.CSafeLoader))


def main():
    if "--inside" not in sys.argv:
        enter(sys.argv[1] if len(sys.argv) > 1 else ".build/yaml-peers", ["rapidyaml", "PyYAML"])
    print("| leaves | settled, nodes | rapidyaml | yaml-cpp | PyYAML, CSafeLoader |")
    print("|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for leaves in (10_000, 100_000):
            path = os.path.join(folder, f"{leaves}.yaml")
            with open(path, "wb") as file:
                subprocess.run([BENCH, "yaml-file", str(leaves)], check=True, stdout=file)
            ours, bare = (float(number) * 1e-9 * leaves for number in subprocess.run(
                [BENCH, "growth", str(leaves)], check=True, text=True, stdout=subprocess.PIPE)
                .stdout.splitlines()[2].split("|")[3:1:-1])
            cells = [f"{ours / bare:.2f}"]
            for read in (rapidyaml, yaml_cpp, pyyaml):
                seconds = read(path, folder)
                cells.append("not there" if seconds is None else f"{seconds / bare:.2f}")
            print(f"| {leaves} | " + " | ".join(cells) + " |", flush=True)


main()
