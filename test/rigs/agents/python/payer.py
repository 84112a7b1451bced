"""What the agents here have in common: their models follow the person's words, and what was executed is written down.

    pay 1 and 2    calls the tool `pay` once for each number, then says what came of it
    pay 3 again    and calls it once more where people refused it
    fail           the model writes when, and fails
    slow           the model writes that it began, and answers an hour later
    linger         the same, and answers when the test lets it go; writes that it was stopped
    anything else  says four words, one at a time
"""

import argparse
import asyncio
import json
import os
import time

PIECES = ['One ', 'two ', 'three ', 'four']
PAYEE = 'Miller Ltd'


def invoices_in(words: str) -> list[int]:
    return [int(word) for word in words.split() if word.isdigit()] if 'pay' in words else []


async def begin(words: str) -> None:
    """Before the model says anything."""
    if 'fail' in words:
        count('failed', time.time_ns() // 1_000_000)
        raise RuntimeError('the model is out of order')
    if 'slow' in words:
        count('slow')
        await asyncio.sleep(3600)
    if 'linger' in words:
        count('slow')
        try:
            while not os.path.exists(os.environ['AGENT_LEDGER'] + '.go'):
                await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            count('stopped')
            raise


def is_refused(result: object) -> bool:
    text = json.dumps(result).lower()
    return any(word in text for word in ('not paid', 'reject', 'refused'))


def count(*entry: object) -> None:
    with open(os.environ['AGENT_LEDGER'], 'a') as ledger:
        ledger.write(json.dumps(entry) + '\n')


def port_given() -> int:
    options = argparse.ArgumentParser()
    options.add_argument('--port', type=int, required=True)
    return options.parse_args().port
