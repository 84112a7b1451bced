"""Agents on LangGraph behind the official Python a2a-sdk: everything is real but the model, which follows a script.

    batched   LangChain's agent with HumanInTheLoopMiddleware: one HITLRequest a model turn
    per_call  the same, one approval a call, each answered under the id of its interrupt
    inbox     a graph that asks as for Agent Inbox, by a list of HumanInterrupt
    graph     a graph that interrupts with data of a shape of its own

The person's message is the script of the model, a line per step: `say <text>` or `call <tool> <json>`. What a tool
returned is said at the end. What interrupts the graph goes out as data parts, and the data of the answer resumes it.
"""

import argparse
import asyncio
import json
from typing import Any, TypedDict

import uvicorn
from a2a.helpers import get_data_parts, get_message_text, new_data_part, new_task_from_user_message, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Interrupt, interrupt
from starlette.applications import Starlette


class ScriptedModel(BaseChatModel):
    """Takes the last person's message for its script, or says what the tools returned."""

    @property
    def _llm_type(self) -> str:
        return 'scripted'

    def bind_tools(self, tools: Any, **_: Any) -> 'ScriptedModel':
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        last = messages[-1]
        if isinstance(last, ToolMessage):
            since = [item for item in messages if isinstance(item, ToolMessage)]
            reply = AIMessage('\n'.join(f'{item.name} returned {item.content}' for item in since))
        else:
            reply = steps_of(str(last.content), len(messages))
        return ChatResult(generations=[ChatGeneration(message=reply)])


def steps_of(script: str, turn: int) -> AIMessage:
    said: list[str] = []
    calls: list[dict[str, Any]] = []
    for line in script.splitlines():
        verb, _, rest = line.partition(' ')
        if verb == 'call':
            name, _, args = rest.partition(' ')
            calls.append({'name': name, 'args': json.loads(args or '{}'), 'id': f'call-{turn}-{len(calls) + 1}'})
        else:
            said.append(rest)
    return AIMessage('\n'.join(said), tool_calls=calls)


def send_email(to: str, subject: str) -> str:
    """Sends a mail."""
    return f'sent "{subject}" to {to}'


def delete_file(path: str) -> str:
    """Deletes a file; refuses what is not there."""
    if path == '/missing':
        raise_missing(path)
    return f'deleted {path}'


def raise_missing(path: str) -> None:
    raise FileNotFoundError(f'no such file: {path}')


def ask_user(question: str) -> str:
    """Asks the person; the answer is the tool's result."""
    return f'nobody was asked: {question}'


def look_up(city: str) -> str:
    """Looks a city up; nobody is asked."""
    return f'{city} has 3 people'


def reviewed_agent(mode: str) -> Any:
    review = HumanInTheLoopMiddleware(
        interrupt_on={
            'send_email': True,
            'delete_file': {'allowed_decisions': ['approve', 'reject'], 'description': 'A file goes for good.'},
            'ask_user': {'allowed_decisions': ['respond']},
        },
        interrupt_mode=mode,
    )
    tools = [send_email, delete_file, ask_user, look_up]
    return create_agent(ScriptedModel(), tools=tools, middleware=[review], checkpointer=InMemorySaver())


class State(TypedDict, total=False):
    messages: list[BaseMessage]


def inbox_node(state: State) -> State:
    """As for Agent Inbox: a list of one request, answered by a list of one response."""
    asked = {
        'action_request': {'action': 'publish', 'args': {'title': state['messages'][-1].content, 'draft': True}},
        'config': {'allow_ignore': True, 'allow_respond': True, 'allow_edit': True, 'allow_accept': True},
        'description': 'Shall this be published?',
    }
    response = interrupt([asked])[0]
    return {'messages': [*state['messages'], AIMessage(f'got {json.dumps(response, sort_keys=True)}')]}


def own_node(state: State) -> State:
    """Data of a shape that nobody knows, three levels deep."""
    answer = interrupt({'flights': [{'no': 'XY 12', 'fare': {'class': 'eco', 'price': 99}}], 'pick': 'one'})
    return {'messages': [*state['messages'], AIMessage(f'got {json.dumps(answer, sort_keys=True)}')]}


def graph_of(node: Any) -> Any:
    graph = StateGraph(State)
    graph.add_node('ask', node)
    graph.add_edge(START, 'ask')
    graph.add_edge('ask', END)
    return graph.compile(checkpointer=InMemorySaver())


class GraphExecutor(AgentExecutor):
    """A graph's thread is the A2A task; what interrupts it is the question, the answer's data resumes it."""

    def __init__(self, graph: Any, words: str) -> None:
        self.graph = graph
        self.words = words

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        await TaskUpdater(event_queue, task.id, task.context_id).cancel()

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


def whole(value: Any) -> Any:
    """Numbers of A2A's data are doubles: those that are whole become whole again."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    return [whole(item) for item in value] if isinstance(value, list) else value


def question_of(one: Interrupt, is_one_of_many: bool) -> Any:
    """One interrupt as it is; several under their ids, since LangGraph resumes them by those."""
    if not is_one_of_many and one.response_schema is None:
        return one.value
    schema = {} if one.response_schema is None else {'response_schema': one.response_schema}
    return {'id': one.id, 'value': one.value, **schema}


def parts_of(message: BaseMessage) -> list[Part]:
    if isinstance(message, ToolMessage):
        return [new_data_part({'type': 'tool-result', 'toolCallId': message.tool_call_id, 'payload': message.content})]
    if not isinstance(message, AIMessage):
        return []
    calls = [
        {'type': 'tool-call', 'id': one['id'], 'name': one['name'], 'arguments': one['args']}
        for one in message.tool_calls
    ]
    return [*([new_text_part(message.content)] if message.content else []), *map(new_data_part, calls)]


def executor_of(kind: str) -> GraphExecutor:
    if kind in ('batched', 'per_call'):
        return GraphExecutor(reviewed_agent(kind), 'Some calls need a review.')
    if kind == 'inbox':
        return GraphExecutor(graph_of(inbox_node), 'One more thing.')
    return GraphExecutor(graph_of(own_node), 'Which flight?')


def build_app(kind: str, port: int) -> Starlette:
    card = AgentCard(
        name=f'{kind} graph',
        description='An agent on LangGraph',
        version='1.0.0',
        default_input_modes=['text/plain', 'application/json'],
        default_output_modes=['text/plain', 'application/json'],
        capabilities=AgentCapabilities(streaming=True),
        supported_interfaces=[
            AgentInterface(protocol_binding='JSONRPC', url=f'http://127.0.0.1:{port}/', protocol_version='1.0')
        ],
        skills=[AgentSkill(id=kind, name=kind, description='It asks', tags=['rig'])],
    )
    handler = DefaultRequestHandler(agent_executor=executor_of(kind), task_store=InMemoryTaskStore(), agent_card=card)
    return Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, '/')])


async def serve(kind: str, port: int) -> None:
    app = build_app(kind, port)
    server = uvicorn.Server(uvicorn.Config(app, host='127.0.0.1', port=port, log_level='warning'))
    serving = asyncio.create_task(server.serve())
    while not server.started and not serving.done():
        await asyncio.sleep(0.02)
    if server.started:
        print(f'{kind} graph ready http://127.0.0.1:{port}/', flush=True)
    await serving


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('kind', choices=['batched', 'per_call', 'inbox', 'graph'])
    parser.add_argument('--port', type=int, required=True)
    options = parser.parse_args()
    asyncio.run(serve(options.kind, options.port))
