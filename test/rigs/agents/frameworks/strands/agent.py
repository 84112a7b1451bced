"""An AWS Strands agent behind its own A2A server: a scripted model, and a tool that asks before it runs and counts."""
from payer import count, port_given
from pydantic import BaseModel
from scripted import Scripted
from strands import Agent, ToolContext, tool
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


def agent(context_id: str) -> Agent:
    return Agent(name='payer', description='Pays invoices', model=Scripted(), tools=[pay], callback_handler=None)


server = A2AServer(agent_factory=agent, host='127.0.0.1', port=port_given(), enable_a2a_compliant_streaming=True)
server.serve()
