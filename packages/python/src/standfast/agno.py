"""agno: people confirm ``requires_confirmation=True``, and give what ``requires_user_input=True`` and ``ask_user`` want."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

from agno.agent import Agent
from agno.run.agent import RunOutput
from agno.run.requirement import RunRequirement

from ._adapter import Call, args_of, question_id, verdicts
from ._client import AsyncStandfast
from .memory import Memory


def _call_of(requirement: RunRequirement) -> Call:
    tool = requirement.tool_execution
    assert tool is not None
    return Call(str(tool.tool_call_id or requirement.id), str(tool.tool_name), args_of(tool.tool_args or {}))


async def confirm(paused: RunOutput, *, run_id: str, client: AsyncStandfast, policy: str | None = None) -> None:
    """Confirms and rejects in ``paused`` what people approved and rejected."""
    asked = [(one, _call_of(one)) for one in paused.active_requirements if one.needs_confirmation]
    found = await verdicts(client, [call for _, call in asked], run_id=run_id, policy=policy)
    for requirement, call in asked:
        verdict = found[call.id]
        if verdict.approved:
            # Untyped there.
            cast(Any, requirement).confirm()
        else:
            requirement.reject(verdict.why_not)
    _take_over(paused)


def _take_over(paused: RunOutput) -> None:
    """A run that was read back has copies of its calls, and agno goes on by those."""
    answered = [one.tool_execution for one in paused.requirements or [] if one.tool_execution is not None]
    by_id = {str(tool.tool_call_id): tool for tool in answered if tool.tool_call_id}
    # A call that ran keeps its own: the requirement's copy has no result, and would be executed once more.
    paused.tools = [by_id.get(str(one.tool_call_id), one) if one.result is None else one for one in paused.tools or []]


_types = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}


def _input_of(requirement: RunRequirement) -> tuple[str, dict[str, Any]]:
    """The message and the schema for the fields that have no value yet; the model's values are in the message."""
    fields = requirement.user_input_schema or []
    missing = [field for field in fields if field.value is None]
    given = {field.name: field.value for field in fields if field.value is not None}
    words = [f"{_call_of(requirement).name} needs input.", *([json.dumps(given, default=str)] if given else [])]
    properties = {
        field.name: {"type": _types.get(cast(Any, field).field_type, "string")}
        | ({"description": field.description} if field.description else {})
        for field in missing
    }
    return "\n\n".join(words), {"type": "object", "properties": properties, "required": list(properties)}


def _choices_of(requirement: RunRequirement) -> tuple[str, dict[str, Any]]:
    """The same for questions with options, which are answered by a list of labels each."""
    properties: dict[str, Any] = {}
    for index, question in enumerate(requirement.user_feedback_schema or []):
        items = {"type": "string", **({"enum": [one.label for one in question.options]} if question.options else {})}
        several = {"type": "array", "items": items, "uniqueItems": True}
        properties[f"q{index}"] = {"title": question.question, **(several if question.multi_select else items)}
    words = [question.question for question in requirement.user_feedback_schema or []]
    return "\n".join(words), {"type": "object", "properties": properties, "required": list(properties)}


async def fill(paused: RunOutput, *, run_id: str, client: AsyncStandfast, policy: str | None = None) -> None:
    """Fills in ``paused`` what people are to give. A refusal or an expiry is raised: agno has no place for it."""

    async def ask(requirement: RunRequirement) -> None:
        asks_choices = requirement.needs_user_feedback
        message, schema = _choices_of(requirement) if asks_choices else _input_of(requirement)
        id = question_id(run_id, _call_of(requirement).id)
        values = (await client.ask(message, id=id, schema=schema, policy=policy)).values
        if not asks_choices:
            return requirement.provide_user_input(values)
        given: list[list[Any] | str] = [values[f"q{index}"] for index in range(len(requirement.user_feedback_schema or []))]
        chosen = [one if isinstance(one, list) else [one] for one in given]
        questions = [question.question for question in requirement.user_feedback_schema or []]
        requirement.provide_user_feedback(dict(zip(questions, chosen, strict=True)))

    wanted = [one for one in paused.active_requirements if one.needs_user_feedback or one.needs_user_input]
    await asyncio.gather(*(ask(one) for one in wanted))
    _take_over(paused)


def _asks_people(paused: RunOutput) -> bool:
    asks = (one.needs_confirmation or one.needs_user_input or one.needs_user_feedback for one in paused.active_requirements)
    return paused.is_paused and any(asks)


async def run(
    agent: Agent,
    prompt: str,
    *,
    id: str,
    client: AsyncStandfast,
    memory: Memory,
    policy: str | None = None,
    **options: Any,
) -> RunOutput:
    """Runs the agent to its end, or to a pause that only the program can end (``external_execution=True``).

    The same ``id`` after a crash goes on with the question that was open. ``options`` go to ``agent.arun``. A run that ended is forgotten: its ``id`` begins a new one.
    """
    kept = memory.load(id)
    # Its methods have parameters of unknown types.
    untyped: Any = agent
    result: RunOutput
    if kept is None:
        result = await untyped.arun(prompt, session_id=id, **options)
    else:
        result = RunOutput.from_dict(json.loads(kept))
    while _asks_people(result):
        memory.save(id, cast(Any, result).to_json())
        confirming = confirm(result, run_id=id, client=client, policy=policy)
        await asyncio.gather(confirming, fill(result, run_id=id, client=client, policy=policy))
        if result.active_requirements:
            # agno would execute a call without an answer, with nothing in the place of the answer.
            break
        result = await untyped.acontinue_run(result, requirements=result.requirements, session_id=id, **options)
    memory.forget(id)
    return result
