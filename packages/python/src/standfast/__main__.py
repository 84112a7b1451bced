"""``python -m standfast``: asks people from a shell that has Python alone; the exit codes are those of the command."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ._client import Standfast
from ._question import Approval
from .errors import StandfastError, QuestionCancelled, QuestionExpired, QuestionRefused, StillWaiting

_CODES = "exit codes: 0 yes, or answered; 1 no; 2 wrong use; 3 not asked; 8 expired; 9 withdrawn; 10 still waiting"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m standfast", description=__doc__, epilog=_CODES)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("ask", "the question"), ("approve", "the name of the tool"), ("wait", "the id of a question")):
        command = commands.add_parser(name, epilog=_CODES)
        command.add_argument("what", help=what)
        command.add_argument("--timeout", type=float, help="seconds; missing: until it has ended")
        if name == "wait":
            continue
        command.add_argument("--id", help="your name for the question: the same again waits for the same answer")
        command.add_argument("--policy", help="who is asked")
        command.add_argument("--title")
        if name == "approve":
            command.add_argument("--args", type=json.loads, default={}, help="its arguments, a JSON object")
            command.add_argument("--why", help="why it is called, and what cannot be undone")
    given = parser.parse_args(argv)
    try:
        with Standfast() as client:
            return _ended(client, given)
    except QuestionRefused as error:
        return _failed(1, error)
    except QuestionExpired as error:
        return _failed(8, error)
    except QuestionCancelled as error:
        return _failed(9, error)
    except StillWaiting as error:
        return _failed(10, error)
    except StandfastError as error:
        return _failed(3, error)


def _ended(client: Standfast, given: argparse.Namespace) -> int:
    if given.command == "wait":
        return _print(client.wait(given.what, timeout=given.timeout))
    common: dict[str, Any] = {"id": given.id, "policy": given.policy, "title": given.title}
    if given.command == "ask":
        asked: Any = client.start_ask(given.what, **common)
    else:
        asked = client.start_approve(given.what, given.args, why=given.why, **common)
    print(f"standfast: people are asked: {asked.link} (id {asked.id})", file=sys.stderr)
    return _print(asked.answer(given.timeout))


def _print(found: Any) -> int:
    if isinstance(found, Approval):
        if not found:
            print(f"standfast: no, by {found.by}" + (f": {found.reason}" if found.reason else ""), file=sys.stderr)
            return 1
        print(json.dumps(found.args))
        return 0
    print(found.text if set(found.values) == {"text"} else json.dumps(found.values))
    return 0


def _failed(code: int, error: StandfastError) -> int:
    print(f"standfast: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
