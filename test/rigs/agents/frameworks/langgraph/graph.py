"""Graphs for `langgraph dev`: LangChain's review of tool calls, and interrupts of a graph's own making."""
import asyncio
import json

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel
from payer import PAYEE, PIECES, begin, count, invoices_in, is_refused


@tool
def pay(invoice: int, to: str) -> str:
    """Pays an invoice."""
    count(invoice, to)
    return f'paid {invoice} to {to}'


@tool
def look_up(name: str) -> str:
    """Finds a person without a question."""
    return f'{name} is known'


class Scripted(BaseChatModel):
    """Calls `pay` once for each invoice that the person names, and `look_up` too if asked to; then says what came of it."""

    @property
    def _llm_type(self) -> str:
        return 'scripted'

    def bind_tools(self, tools, **kwargs):
        return self

    async def answer(self, messages) -> AIMessage:
        results = [str(one.content) for one in messages if isinstance(one, ToolMessage)]
        words = str([one.content for one in messages if isinstance(one, HumanMessage)][-1])
        repeats = 'again' in words and len(results) == 1 and is_refused(results)
        if isinstance(messages[-1], ToolMessage) and not repeats:
            return AIMessage('Done: ' + ' | '.join(results))
        await begin(words)
        calls = [
            {'name': 'pay', 'args': {'invoice': invoice, 'to': PAYEE}, 'id': f'call-{invoice}-{len(results)}'}
            for invoice in invoices_in(words)
        ]
        if 'look' in words:
            calls.append({'name': 'look_up', 'args': {'name': PAYEE}, 'id': 'call-look'})
        return AIMessage('I pay.', tool_calls=calls) if calls else AIMessage(''.join(PIECES))

    def _generate(self, *args, **kwargs):
        raise NotImplementedError

    async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
        return ChatResult(generations=[ChatGeneration(message=await self.answer(messages))])

    async def _astream(self, messages, stop=None, run_manager=None, **kwargs):
        message = await self.answer(messages)
        if message.tool_calls:
            chunks = [
                {'name': call['name'], 'args': json.dumps(call['args']), 'id': call['id'], 'index': index}
                for index, call in enumerate(message.tool_calls)
            ]
            yield ChatGenerationChunk(message=AIMessageChunk(content=message.content, tool_call_chunks=chunks))
            return
        for word in str(message.content).split(' '):
            # A model speaks in tokens.
            await asyncio.sleep(0.02)
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=word + ' '))
            if run_manager:
                await run_manager.on_llm_new_token(word + ' ', chunk=chunk)
            yield chunk


def reviewing(**mode: str):
    middleware = HumanInTheLoopMiddleware(interrupt_on={'pay': True}, **mode)
    return create_agent(Scripted(), [pay, look_up], middleware=[middleware])


reviewed = reviewing()
one_by_one = reviewing(interrupt_mode='per_call')


def ask(name: str, value):
    def node(state: MessagesState):
        answer = interrupt(value)
        count(name, answer)
        return {'messages': [AIMessage(f'{name} {json.dumps(answer)}')]}

    return node


def graph(**values):
    made = StateGraph(MessagesState)
    for name, value in values.items():
        made.add_node(name, ask(name, value))
        made.add_edge(START, name)
        made.add_edge(name, END)
    return made.compile()


class Trip(BaseModel):
    days: int
    seat: str | None = None


def typed(state: MessagesState):
    trip = interrupt({'question': 'How long is the trip?', 'city': 'Rome'}, response_schema=Trip)
    count('typed', type(trip).__name__, trip.days, trip.seat)
    return {'messages': [AIMessage(f'trip of {trip.days}')]}


typed = StateGraph(MessagesState).add_node('typed', typed).add_edge(START, 'typed').add_edge('typed', END).compile()
FORM = {'type': 'a2a.hitl.form', 'title': 'Go on?', 'fields': [{'name': 'approved', 'type': 'boolean', 'required': True}]}
form = graph(form=FORM)
asks = graph(colour={'question': 'Which colour?', 'for': 'the bike shed'})
both = graph(first={'question': 'first?'}, second={'question': 'second?'})
