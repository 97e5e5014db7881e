"""Packages of PyPI that are measured beside ours, in virtual environments."""

import os
import subprocess
import sys


def enter(folder, packages):
    """Runs the script again by the Python of a virtual environment that has the packages."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    os.execv(python, [python, os.path.abspath(sys.argv[0]), "--inside"])
