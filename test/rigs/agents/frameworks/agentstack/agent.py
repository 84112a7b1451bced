"""An Agent Stack (BeeAI) agent: asks for approval of a tool call, or for a form, by the SDK's own extensions."""
import json
from typing import Annotated

from a2a.types import Message
from agentstack_sdk.a2a.extensions.common.form import CheckboxField, DateField, FormRender, OptionItem
from agentstack_sdk.a2a.extensions.common.form import SingleSelectField, TextField
from agentstack_sdk.a2a.extensions.interactions.approval import (
    ApprovalExtensionServer,
    ApprovalExtensionSpec,
    ToolCallApprovalRequest,
)
from agentstack_sdk.a2a.extensions.ui.form_request import FormRequestExtensionServer, FormRequestExtensionSpec
from agentstack_sdk.server import Server
from agentstack_sdk.server.context import RunContext
from payer import PAYEE, PIECES, begin, count, invoices_in, port_given
from pydantic import BaseModel

server = Server()

trip = FormRender(
    title='Trip',
    description='Where to?',
    fields=[
        TextField(id='city', label='City', required=True),
        DateField(id='day', label='Day'),
        SingleSelectField(id='by', label='By', options=[OptionItem(id='rail', label='Train'), OptionItem(id='air', label='Plane')]),
        CheckboxField(id='agree', label='Agree', content='I agree.'),
    ],
)


class Trip(BaseModel):
    city: str
    day: str | None
    by: str | None
    agree: bool | None


@server.agent(name='payer', description='Pays invoices')
async def payer(
    message: Message,
    context: RunContext,
    approval: Annotated[ApprovalExtensionServer, ApprovalExtensionSpec(params=None)],
    form: Annotated[FormRequestExtensionServer, FormRequestExtensionSpec()],
):
    words = ' '.join(part.root.text for part in message.parts if part.root.kind == 'text')
    if invoices_in(words):
        [invoice] = invoices_in(words)
        request = ToolCallApprovalRequest(name='pay', description='Pays an invoice.', input={'invoice': invoice, 'to': PAYEE})
        answer = await approval.request_approval(request, context=context)
        if not answer.approved and 'again' in words:
            answer = await approval.request_approval(request, context=context)
        if answer.approved:
            count(invoice, PAYEE)
        yield f'paid {invoice}' if answer.approved else 'not paid'
    elif 'trip' in words:
        values = await form.request_form(form=trip, model=Trip)
        told = None if values is None else values.model_dump()
        count(told)
        yield f'got {json.dumps(told)}'
    else:
        await begin(words)
        for piece in PIECES:
            yield piece


server.run(host='127.0.0.1', port=port_given(), self_registration=False)
