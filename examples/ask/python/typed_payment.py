"""Asks for a booking as a dataclass, then pays by a function that needs approval: typed, without a framework."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

import standfast

RUN = sys.argv[1] if len(sys.argv) > 1 else "invoice-7"


@dataclass
class Booking:
    centre: Literal["sales", "works"]
    on: date
    note: str | None = None


def question_id(amount: Decimal, to: str) -> str:
    return f"{RUN}-pay"


@standfast.requires_approval(named=question_id, why="Invoice 7 is due.", risk="high")
def pay(amount: Decimal, to: str) -> str:
    runs = Path(os.environ.get("RUNS_DIR", ".runs"))
    runs.mkdir(parents=True, exist_ok=True)
    with (runs / "payments.txt").open("a") as payments:
        payments.write(f"{amount} {to}\n")
    return f"paid {amount} to {to}"


def main() -> None:
    booking = standfast.ask("Where does invoice 7 belong?", schema=Booking, id=f"{RUN}-booking")
    try:
        print(f"done: {pay(Decimal('4210'), 'Miller Ltd')} for {booking.centre} on {booking.on.isoformat()}", flush=True)
    except standfast.NotApproved as error:
        print(f"done: not paid: {error}", flush=True)


if __name__ == "__main__":
    main()
