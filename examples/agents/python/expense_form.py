"""Asks for an approval by a form, checks what comes back, and asks again by field where it is wrong.

    python expense_form.py    then say: Lunch with the customer, 84.50 EUR
"""

import asyncio
import re
from typing import Any

from a2a.helpers import get_message_text, new_data_part, new_task_from_user_message, new_text_part
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Role
from form_parts import Json, answers_in, form
from serve_agent import CancellableExecutor, app_of, port_asked, serve

EXPLAIN_ABOVE = 500
COST_CENTRES = ['sales', 'engineering', 'operations']
# What a no does not need.
FOR_YES: Json = {'approve': True}


class ExpenseExecutor(CancellableExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        if task is None:
            task = new_task_from_user_message(context.message)
            # The first event of a task has to be the task.
            await event_queue.enqueue_event(task)
            claim, values = get_message_text(context.message), None
        else:
            said = [message for message in task.history if message.role == Role.ROLE_USER]
            claim, values = get_message_text(said[0]), answers_in(context.message).get(task.id)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        errors = {} if values is None else problems_in(values)
        if values is None or errors:
            given = values or {'amount': amount_in(claim)}
            question = form(
                task.id,
                'Approve an expense',
                fields_with(given.get('amount')),
                description=f'Claimed: {claim}',
                metadata={'errors': errors, 'values': given} if errors else {},
            )
            words = new_text_part('Shall this expense be paid? It goes out with the next payroll.')
            await updater.requires_input(updater.new_agent_message([words, question]))
            return
        if values['approve'] is not True:
            await updater.complete(updater.new_agent_message([new_text_part('Not approved: nothing is paid.')]))
            return
        await updater.add_artifact([new_data_part({'claim': claim, **values})], name='receipt')
        await updater.complete(
            updater.new_agent_message([new_text_part(f'Approved: {values["amount"]:.2f} EUR will be paid.')])
        )


def fields_with(amount: float | None) -> list[Json]:
    number: Json = {'name': 'amount', 'label': 'Amount (EUR)', 'type': 'number', 'required': FOR_YES, 'min': 0.01}
    if amount is not None:
        number['default'] = amount
    return [
        number,
        {'name': 'costCentre', 'label': 'Cost centre', 'type': 'select', 'required': FOR_YES, 'options': COST_CENTRES},
        {'name': 'purpose', 'label': 'Purpose', 'type': 'text', 'required': FOR_YES, 'minLength': 3},
        {'name': 'reason', 'label': 'Reason for a no', 'type': 'text', 'maxLength': 500},
        {'name': 'approve', 'label': 'Approve', 'type': 'boolean', 'required': True},
    ]


def problems_in(values: Json) -> dict[str, str]:
    """By field; an agent never trusts who carries an answer. The last rule is known to it alone."""
    if values.get('approve') is False:
        return {}
    errors: dict[str, str] = {}
    amount: Any = values.get('amount')
    purpose: Any = values.get('purpose')
    if not isinstance(amount, (int, float)) or isinstance(amount, bool) or amount < 0.01:
        errors['amount'] = 'must be a number of at least 0.01'
    if values.get('costCentre') not in COST_CENTRES:
        errors['costCentre'] = 'is not one of the cost centres'
    if not isinstance(purpose, str) or len(purpose.strip()) < 3:
        errors['purpose'] = 'must be at least 3 characters'
    elif 'amount' not in errors and amount > EXPLAIN_ABOVE and len(purpose.strip()) < 20:
        errors['purpose'] = f'must be at least 20 characters for amounts above {EXPLAIN_ABOVE} EUR'
    if not isinstance(values.get('approve'), bool):
        errors['approve'] = 'must be true or false'
    return errors


def amount_in(text: str) -> float | None:
    found = re.search(r'(\d+(?:[.,]\d{1,2})?)\s*(?:EUR|€|euros?)', text, re.IGNORECASE)
    return float(found[1].replace(',', '.')) if found else None


if __name__ == '__main__':
    port = port_asked(8711)
    app = app_of(ExpenseExecutor(), 'python expenses', 'Has expenses approved by a form', port)
    asyncio.run(serve(app, 'python expenses', port))
