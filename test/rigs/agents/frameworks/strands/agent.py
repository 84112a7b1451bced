"""An AWS Strands agent behind its own A2A server: a scripted model, and a tool that asks before it runs and counts."""
import json
import uuid

from payer import PAYEE, PIECES, begin, count, invoices_in, is_refused, port_given
from pydantic import BaseModel
from strands import Agent, ToolContext, tool
from strands.models import Model
from strands.multiagent.a2a import A2AServer


class Approval(BaseModel):
    approved: bool
    reason: str | None = None


@tool(context=True)
def pay(invoice: int, to: str, tool_context: ToolContext) -> str:
    """Pays an invoice."""
    reason = {'question': f'Pay invoice {invoice} to {to}?', 'invoice': invoice, 'to': to, 'schema': Approval.model_json_schema()}
    answer = tool_context.interrupt('pay_approval', reason=reason)
    if answer.get('approved') is not True:
        return f"not paid: {answer.get('reason')}"
    count(invoice, to)
    return f'paid {invoice} to {to}'


class Scripted(Model):
    """Calls `pay` once for each invoice that the person names, then says what came of it."""

    def update_config(self, **model_config):
        pass

    def get_config(self):
        return {}

    async def structured_output(self, *args, **kwargs):
        raise NotImplementedError
        yield

    async def stream(self, messages, *args, **kwargs):
        content = messages[-1]['content']
        results = [block['toolResult'] for block in content if 'toolResult' in block]
        asked = [block['text'] for message in messages for block in message['content'] if message['role'] == 'user' and 'text' in block]
        words = asked[-1]
        for block in content:
            for kind in ('document', 'image'):
                if kind in block:
                    count(kind, block[kind].get('name'), block[kind]['format'], len(block[kind]['source']['bytes']))
        # The person's words, the call, and what came of it: nothing was asked twice so far.
        repeats = 'again' in words and len(messages) == 3 and is_refused(results)
        yield {'messageStart': {'role': 'assistant'}}
        if results and not repeats:
            texts = [part['text'] for result in results for part in result['content'] if 'text' in part]
            async for event in said(['Done: ', ' | '.join(texts)]):
                yield event
            yield {'messageStop': {'stopReason': 'end_turn'}}
            return
        await begin(words)
        for invoice in invoices_in(words):
            use = {'name': 'pay', 'toolUseId': f'call-{uuid.uuid4().hex[:8]}'}
            yield {'contentBlockStart': {'start': {'toolUse': use}}}
            yield {'contentBlockDelta': {'delta': {'toolUse': {'input': json.dumps({'invoice': invoice, 'to': PAYEE})}}}}
            yield {'contentBlockStop': {}}
        if not invoices_in(words):
            async for event in said(PIECES):
                yield event
        yield {'messageStop': {'stopReason': 'tool_use' if invoices_in(words) else 'end_turn'}}


async def said(pieces):
    yield {'contentBlockStart': {'start': {}}}
    for piece in pieces:
        yield {'contentBlockDelta': {'delta': {'text': piece}}}
    yield {'contentBlockStop': {}}


def agent(context_id: str) -> Agent:
    return Agent(name='payer', description='Pays invoices', model=Scripted(), tools=[pay], callback_handler=None)


server = A2AServer(agent_factory=agent, host='127.0.0.1', port=port_given(), enable_a2a_compliant_streaming=True)
server.serve()
