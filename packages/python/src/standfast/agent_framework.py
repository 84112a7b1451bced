"""Microsoft agent-framework: tools with ``approval_mode="always_require"`` are approved by people."""

from __future__ import annotations

import json
from typing import Any

from agent_framework import Agent, AgentResponse, AgentSession, Content, Message

from ._adapter import Call, args_of, verdicts
from ._client import AsyncStandfast
from .memory import Memory


def _call_of(request: Content) -> Call:
    called = request.function_call
    assert called is not None and request.id is not None
    return Call(request.id, str(called.name), args_of(called.arguments or {}))


async def answers(
    requests: list[Content], *, run_id: str, client: AsyncStandfast, policy: str | None = None
) -> Message:
    """The message that answers what a run is waiting for; the reasons of refusals come with it as text."""
    asked = [request for request in requests if request.type == "function_approval_request"]
    found = await verdicts(client, [_call_of(request) for request in asked], run_id=run_id, policy=policy)
    responses = [request.to_function_approval_response(found[str(request.id)].approved) for request in asked]
    refusals = [Content.from_text(one.why_not) for one in found.values() if not one.approved]
    return Message("user", [*responses, *refusals])


async def run(
    agent: Agent,
    prompt: str,
    *,
    id: str,
    client: AsyncStandfast,
    memory: Memory,
    policy: str | None = None,
    **options: Any,
) -> AgentResponse:
    """Runs the agent to its end. The same ``id`` after a crash goes on with the question that was open.

    ``options`` go to ``agent.run``. A run that ended is forgotten: its ``id`` begins a new one.
    """
    kept = memory.load(id)
    result: AgentResponse | None = None
    if kept is None:
        session = agent.create_session(session_id=id)
        result = await agent.run(prompt, session=session, **options)
        requests = list(result.user_input_requests)
    else:
        state = json.loads(kept)
        session = AgentSession.from_dict(state["session"])
        requests = [Content.from_dict(one) for one in state["requests"]]
    while result is None or any(request.type == "function_approval_request" for request in requests):
        state = {"session": session.to_dict(), "requests": [request.to_dict() for request in requests]}
        memory.save(id, json.dumps(state))
        given = await answers(requests, run_id=id, client=client, policy=policy)
        result = await agent.run(given, session=session, **options)
        requests = list(result.user_input_requests)
    memory.forget(id)
    return result
