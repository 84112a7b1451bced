"""In place of a language model: the person's message is the script, a line per step.

    think <text>          reasoning (ADK)
    say <text>            words for the person
    call <tool> <json>    a call of a tool; all calls of a message are made together
"""

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Step:
    verb: str
    text: str = ''
    args: dict[str, Any] = field(default_factory=dict)


def steps_in(text: str) -> list[Step]:
    return [step_of(line) for line in text.splitlines() if line.strip()]


def step_of(line: str) -> Step:
    verb, _, rest = line.strip().partition(' ')
    if verb == 'call':
        name, _, args = rest.partition(' ')
        return Step(verb, name, json.loads(args or '{}'))
    return Step(verb, rest) if verb in ('think', 'say') else Step('say', f'heard {line}')
