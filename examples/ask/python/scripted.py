"""What the examples share: a tool that counts its executions in a file, and the settings of a run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from standfast import AsyncStandfast, FileMemory

#: The run's own name: started again with the same one, it goes on where it was.
run_id = sys.argv[1] if len(sys.argv) > 1 else "invoice-7"
directory = Path(os.environ.get("RUNS_DIR", ".runs"))
memory = FileMemory(directory)
prompt = "Pay 4210 EUR to Miller Ltd."
call = {"amount": 4210, "to": "Miller Ltd"}


def client() -> AsyncStandfast:
    """Address and key come from STANDFAST_URL and STANDFAST_API_KEY."""
    return AsyncStandfast()


def execute(amount: int, to: str) -> str:
    """Pays, for this example by a line in a file."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "payments.txt").open("a") as file:
        file.write(f"{amount} {to}\n")
    return f"paid {amount} to {to}"


def done(text: object) -> None:
    print(f"done: {text}", flush=True)
