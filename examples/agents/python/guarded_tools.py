"""Tells each call of a tool, has it approved with the arguments that people may change, and executes what was approved.

    python guarded_tools.py    then say: refund 40 EUR to Ana, 12 EUR to Ben
"""

import asyncio
import re
from collections.abc import Callable

from a2a.helpers import get_message_text, new_data_part, new_task_from_user_message, new_text_part
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Part, Role
from form_parts import Json, answers_in, form, whole
from serve_agent import CancellableExecutor, app_of, port_asked, serve


def refund(to: str, amount: float) -> str:
    return f'paid {amount} EUR to {to}'


class GuardedExecutor(CancellableExecutor):
    """`tools` run with approved arguments only, once each."""

    def __init__(self, tools: dict[str, Callable[..., str]]) -> None:
        self.tools = tools

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
        results = [self.result_of(call, answers.get(call['id'], {})) for call in calls]
        await updater.start_work(updater.new_agent_message([new_data_part(one) for one in results]))
        said = '; '.join(str(one['payload']) for one in results)
        await updater.complete(updater.new_agent_message([new_text_part(said)]))

    def result_of(self, call: Json, answer: Json) -> Json:
        """Whatever is no plain yes is a no, and arguments that the tool cannot take are refused."""
        args = whole(answer.get('editedArgs', call['arguments']))
        if answer.get('approved') is not True:
            outcome = f'not paid: {answer.get("reason") or "it was not approved"}'
        elif not is_refund(args):
            outcome = 'not paid: the changed arguments cannot be used'
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
    app = app_of(GuardedExecutor({'refund': refund}), 'python refunds', 'Has each refund approved', port)
    asyncio.run(serve(app, 'python refunds', port))
