"""An Agent Stack (BeeAI) agent: asks for approval of a tool call, or for a form, by the SDK's own extensions."""
import json
from typing import Annotated

from a2a.types import Message
from agentstack_sdk.a2a.extensions.common.form import (
    CheckboxField,
    CheckboxGroupField,
    DateField,
    FileField,
    FormRender,
    MultiSelectField,
    OptionItem,
    SingleSelectField,
    TextField,
)
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
        MultiSelectField(id='extras', label='Extras', options=[OptionItem(id='bike', label='Bike'), OptionItem(id='meal', label='Meal')]),
        CheckboxGroupField(
            id='seat',
            label='Seat',
            fields=[
                CheckboxField(id='window', label='Window', content='At the window'),
                CheckboxField(id='quiet', label='Quiet', content='Where it is quiet'),
            ],
        ),
        FileField(id='passport', label='Passport', accept=['application/pdf']),
    ],
)


class Trip(BaseModel):
    city: str
    day: str | None
    by: str | None
    agree: bool | None
    extras: list[str] | None
    seat: dict[str, bool | None] | None
    passport: list[dict[str, str | None]] | None


@server.agent(name='payer', description='Pays invoices')
async def payer(
    message: Message,
    context: RunContext,
    approval: Annotated[ApprovalExtensionServer, ApprovalExtensionSpec(params=None)],
    form: Annotated[FormRequestExtensionServer, FormRequestExtensionSpec()],
):
    words = ' '.join(part.root.text for part in message.parts if part.root.kind == 'text')
    if invoices_in(words):
        for invoice in invoices_in(words):
            arguments = {'invoice': invoice, 'to': PAYEE}
            request = ToolCallApprovalRequest(name='pay', description='Pays an invoice.', input=arguments)
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
