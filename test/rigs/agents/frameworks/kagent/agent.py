"""kagent's ADK runtime as published, with sessions and tasks in its own process: a tool that it has approved."""

from typing import Any

import uvicorn
from a2a.types import AgentCapabilities, AgentCard, AgentSkill
from adk_payer import ScriptedModel
from google.adk.agents import LlmAgent
from kagent.adk import KAgentApp
from kagent.adk._approval import make_approval_callback
from payer import count, port_given


def pay(invoice: int, to: str) -> dict[str, Any]:
    """Pays an invoice."""
    count(invoice, to)
    return {'status': f'paid {invoice} to {to}'}


def build() -> LlmAgent:
    approval = make_approval_callback({'pay'})
    return LlmAgent(name='payer', description='Pays', model=ScriptedModel(), tools=[pay], before_tool_callback=approval)


port = port_given()
card = AgentCard(
    name='payer',
    description='Pays invoices',
    url=f'http://127.0.0.1:{port}/',
    version='1.0.0',
    capabilities=AgentCapabilities(streaming=True),
    default_input_modes=['text/plain'],
    default_output_modes=['text/plain'],
    skills=[AgentSkill(id='pay', name='Pay', description='Pays', tags=['pay'])],
)
app = KAgentApp(build, card, kagent_url='http://127.0.0.1:9', app_name='payer', stream=True).build(local=True)
uvicorn.run(app, host='127.0.0.1', port=port, log_level='warning')
