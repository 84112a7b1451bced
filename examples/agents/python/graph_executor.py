"""A LangGraph graph behind a2a-sdk: what interrupts it is sent as data, and the data of the answer resumes it."""

from typing import Any

from a2a.helpers import get_data_parts, get_message_text, new_data_part, new_task_from_user_message, new_text_part
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Part
from form_parts import whole
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.types import Command, Interrupt
from script import steps_in
from serve_agent import CancellableExecutor


class ScriptedModel(BaseChatModel):
    """Takes the last person's message for its script, or says what the tools returned."""

    @property
    def _llm_type(self) -> str:
        return 'scripted'

    def bind_tools(self, tools: Any, **_: Any) -> 'ScriptedModel':
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        if isinstance(messages[-1], ToolMessage):
            returned = [item for item in messages if isinstance(item, ToolMessage)]
            reply = AIMessage('\n'.join(f'{item.name} returned {item.content}' for item in returned))
        else:
            steps = steps_in(str(messages[-1].content))
            calls = [step for step in steps if step.verb == 'call']
            reply = AIMessage(
                '\n'.join(step.text for step in steps if step.verb == 'say'),
                tool_calls=[
                    {'name': call.text, 'args': call.args, 'id': f'call-{len(messages)}-{index}'}
                    for index, call in enumerate(calls, start=1)
                ],
            )
        return ChatResult(generations=[ChatGeneration(message=reply)])


class GraphExecutor(CancellableExecutor):
    """A graph's thread is the A2A task; `words` go with what it asks."""

    def __init__(self, graph: Any, words: str) -> None:
        self.graph = graph
        self.words = words

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        given: Any = {'messages': [HumanMessage(get_message_text(context.message))]}
        if task is None:
            task = new_task_from_user_message(context.message)
            await event_queue.enqueue_event(task)
        else:
            data = get_data_parts(context.message.parts)
            given = Command(resume=whole(data[0]) if data else get_message_text(context.message))
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        config = {'configurable': {'thread_id': task.id}}
        told = len((await self.graph.aget_state(config)).values.get('messages', []))
        await updater.start_work()
        try:
            result = await self.graph.ainvoke(given, config)
        except Exception as error:
            await updater.failed(updater.new_agent_message([new_text_part(f'{type(error).__name__}: {error}')]))
            return
        parts = [part for message in result['messages'][told:] for part in parts_of(message)]
        if parts:
            await updater.start_work(updater.new_agent_message(parts))
        waiting: list[Interrupt] = list(result.get('__interrupt__', []))
        if waiting:
            asked = [new_data_part(question_of(one, len(waiting) > 1)) for one in waiting]
            await updater.requires_input(updater.new_agent_message([new_text_part(self.words), *asked]))
            return
        await updater.complete()


def question_of(one: Interrupt, is_one_of_many: bool) -> Any:
    """One interrupt as it is; several under their ids, since LangGraph resumes them by those."""
    if not is_one_of_many and one.response_schema is None:
        return one.value
    schema = {} if one.response_schema is None else {'response_schema': one.response_schema}
    return {'id': one.id, 'value': one.value, **schema}


def parts_of(message: BaseMessage) -> list[Part]:
    """Calls and results as data, so that people see what was really done."""
    if isinstance(message, ToolMessage):
        return [new_data_part({'type': 'tool-result', 'toolCallId': message.tool_call_id, 'payload': message.content})]
    if not isinstance(message, AIMessage):
        return []
    calls = [
        {'type': 'tool-call', 'id': one['id'], 'name': one['name'], 'arguments': one['args']}
        for one in message.tool_calls
    ]
    return [*([new_text_part(message.content)] if message.content else []), *map(new_data_part, calls)]
