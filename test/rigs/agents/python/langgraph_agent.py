"""Agents on LangGraph behind the official Python a2a-sdk: everything is real but the model, which follows a script.

    batched   LangChain's agent with HumanInTheLoopMiddleware: one HITLRequest a model turn
    per_call  the same, one approval a call, each answered under the id of its interrupt
    inbox     a graph that asks as for Agent Inbox, by a list of HumanInterrupt
    graph     a graph that interrupts with data of a shape of its own
    shared    a graph whose node makes two payments at once: LangGraph gives both interrupts of it one id

The person's message is the script of the model, a line per step: `say <text>` or `call <tool> <json>`. What a tool
returned is shown at the end. What interrupts the graph is sent as data parts, and the data of the answer resumes it.
"""

import argparse
import asyncio
import json
from typing import Any, TypedDict

from graph_executor import GraphExecutor, ScriptedModel
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphInterrupt
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from reviewed_graph import REVIEWED, delete_file, send_email
from serve_agent import app_of, serve


def ask_user(question: str) -> str:
    """Asks the person; the answer is the tool's result."""
    return f'nobody was asked: {question}'


def look_up(city: str) -> str:
    """Finds a city without a question."""
    return f'{city} has 3 people'


def reviewed_agent(mode: str) -> Any:
    review = HumanInTheLoopMiddleware(
        interrupt_on={**REVIEWED, 'ask_user': {'allowed_decisions': ['respond']}},
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
    """Data of an unknown shape, three levels deep."""
    answer = interrupt({'flights': [{'no': 'XY 12', 'fare': {'class': 'eco', 'price': 99}}], 'pick': 'one'})
    return {'messages': [*state['messages'], AIMessage(f'got {json.dumps(answer, sort_keys=True)}')]}


async def payment(number: int) -> str:
    answer = interrupt({'type': 'tool_approval', 'tool_call_id': f'pay-{number}', 'name': 'pay', 'args': {'number': number}})
    is_approved = isinstance(answer, dict) and answer.get('type') == 'approve'
    return f'payment {number} was {"made" if is_approved else "left out"}'


async def shared_node(state: State) -> State:
    done = await asyncio.gather(payment(1), payment(2), return_exceptions=True)
    asked = [one for error in done if isinstance(error, GraphInterrupt) for one in error.args[0]]
    if asked:
        raise GraphInterrupt(asked)
    return {'messages': [*state['messages'], AIMessage('; '.join(map(str, done)))]}


def graph_of(node: Any) -> Any:
    graph = StateGraph(State)
    graph.add_node('ask', node)
    graph.add_edge(START, 'ask')
    graph.add_edge('ask', END)
    return graph.compile(checkpointer=InMemorySaver())


def executor_of(kind: str) -> GraphExecutor:
    if kind in ('batched', 'per_call'):
        return GraphExecutor(reviewed_agent(kind), 'Some calls need a review.')
    if kind == 'inbox':
        return GraphExecutor(graph_of(inbox_node), 'One more thing.')
    if kind == 'shared':
        return GraphExecutor(graph_of(shared_node), 'Two payments.')
    return GraphExecutor(graph_of(own_node), 'Which flight?')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('kind', choices=['batched', 'per_call', 'inbox', 'graph', 'shared'])
    parser.add_argument('--port', type=int, required=True)
    options = parser.parse_args()
    name = f'{options.kind} graph'
    app = app_of(executor_of(options.kind), name, 'An agent on LangGraph', options.port)
    asyncio.run(serve(app, name, options.port))
