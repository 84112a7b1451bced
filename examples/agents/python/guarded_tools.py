"""Tells each call of a tool, has it approved with the arguments that people may change, and executes what was approved.

    python guarded_tools.py    then say: refund 40 EUR to Ana, 12 EUR to Ben

With STANDFAST_RECEIPTS_FROM=http://127.0.0.1:8600 it pays nothing without a receipt of that Standfast, in whose
configuration it is called STANDFAST_AGENT_NAME (docs/receipts.md; needs `pip install ./packages/python`).
"""

import asyncio
import json
import os
import re
import urllib.request
from collections.abc import Callable

from a2a.helpers import get_message_text, new_data_part, new_task_from_user_message, new_text_part
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Part, Role
from google.protobuf.json_format import MessageToDict
from form_parts import Json, answers_in, form, whole
from serve_agent import CancellableExecutor, app_of, port_asked, serve


def refund(to: str, amount: float) -> str:
    return f'paid {amount} EUR to {to}'


Proof = Callable[[str, str, Json], bool]


def receipts_from(url: str, agent: str, directory: str) -> Proof:
    """Whether a receipt proves this very call; it is used then."""
    from standfast.receipt import once_in, verify_receipt

    once = once_in(directory)

    def proves(jws: str, tool: str, args: Json) -> bool:
        with urllib.request.urlopen(f'{url}/.well-known/jwks.json') as reply:
            jwks = json.load(reply)
        try:
            verify_receipt(jws, jwks, f'a2a:{agent}', once, tool, args)
        except (ValueError, KeyError, TypeError):
            return False
        return True

    return proves


class GuardedExecutor(CancellableExecutor):
    """`tools` run with approved arguments only, once each; with `proves` those alone that a receipt proves."""

    def __init__(self, tools: dict[str, Callable[..., str]], proves: Proof | None = None) -> None:
        self.tools = tools
        self.proves = proves

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        is_new = task is None
        if task is None:
            task = new_task_from_user_message(context.message)
            await event_queue.enqueue_event(task)
            first = context.message
        else:
            first = next(message for message in task.history if message.role == Role.ROLE_USER)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        calls = plan(get_message_text(first), task.id)
        await updater.start_work()
        if not calls:
            await updater.complete(updater.new_agent_message([new_text_part('I found nothing to refund in that.')]))
            return
        if is_new:
            await updater.start_work(updater.new_agent_message([new_data_part(call) for call in calls]))
            words = new_text_part('A refund cannot be taken back. May I pay these?')
            await updater.requires_input(updater.new_agent_message([words, *map(question_of, calls)]))
            return
        answers = answers_in(context.message)
        receipts = MessageToDict(context.message.metadata).get('urn:standfast:receipts:v1', [])
        results = [self.result_of(call, answers.get(call['id'], {}), receipts) for call in calls]
        await updater.start_work(updater.new_agent_message([new_data_part(one) for one in results]))
        said = '; '.join(str(one['payload']) for one in results)
        await updater.complete(updater.new_agent_message([new_text_part(said)]))

    def result_of(self, call: Json, answer: Json, receipts: list[str]) -> Json:
        """Whatever is not a plain yes is a no, and arguments that the tool cannot take are refused."""
        args = whole(answer.get('editedArgs', call['arguments']))
        if answer.get('approved') is not True:
            outcome = f'not paid: {answer.get("reason") or "it was not approved"}'
        elif not is_refund(args):
            outcome = 'not paid: the changed arguments cannot be used'
        elif self.proves and not any(self.proves(jws, call['name'], args) for jws in receipts):
            outcome = 'not paid: no receipt proves it'
        else:
            outcome = self.tools[call['name']](**args)
        return {'type': 'tool-result', 'toolCallId': call['id'], 'payload': outcome}


def plan(text: str, task_id: str) -> list[Json]:
    """Ids come from the task, so that the same calls are planned again when the answer is there."""
    found = re.findall(r'(\d+(?:\.\d{1,2})?)\s*(?:EUR|€)\s+to\s+(\w+)', text, re.IGNORECASE)
    return [
        {
            'type': 'tool-call',
            'id': f'{task_id}-refund-{index}',
            'name': 'refund',
            'arguments': {'to': to, 'amount': float(amount)},
        }
        for index, (amount, to) in enumerate(found, start=1)
    ]


def question_of(call: Json) -> Part:
    args = call['arguments']
    return form(
        call['id'],
        f'Refund {args["amount"]:.2f} EUR to {args["to"]}?',
        [
            {'name': 'approved', 'label': 'Approve', 'type': 'boolean', 'required': True},
            {'name': 'editedArgs', 'label': 'Arguments', 'type': 'object', 'default': args},
            {'name': 'reason', 'label': 'Reason of a refusal', 'type': 'text'},
        ],
        toolCallId=call['id'],
        toolName=call['name'],
        arguments=args,
    )


def is_refund(args: object) -> bool:
    if not isinstance(args, dict) or set(args) != {'to', 'amount'}:
        return False
    amount = args['amount']
    is_amount = isinstance(amount, (int, float)) and not isinstance(amount, bool) and amount > 0
    return is_amount and isinstance(args['to'], str) and args['to'].strip() != ''


if __name__ == '__main__':
    port = port_asked(8712)
    url = os.environ.get('STANDFAST_RECEIPTS_FROM')
    name = os.environ.get('STANDFAST_AGENT_NAME', 'refunds')
    proves = receipts_from(url, name, '.standfast/used-receipts') if url else None
    app = app_of(GuardedExecutor({'refund': refund}, proves), 'python refunds', 'Has each refund approved', port)
    asyncio.run(serve(app, 'python refunds', port))
