"""LangChain's agent on LangGraph, whose tool calls people approve, change or reject (HumanInTheLoopMiddleware).

    python reviewed_graph.py    then say: call send_email {"to": "Ada", "subject": "Hi"}
"""

import asyncio

from graph_executor import GraphExecutor, ScriptedModel
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from serve_agent import app_of, port_asked, serve


def send_email(to: str, subject: str) -> str:
    """Sends a mail."""
    return f'sent "{subject}" to {to}'


def delete_file(path: str) -> str:
    """Deletes a file; refuses what is not there."""
    if path == '/missing':
        raise FileNotFoundError(f'no such file: {path}')
    return f'deleted {path}'


REVIEWED = {
    'send_email': True,
    'delete_file': {'allowed_decisions': ['approve', 'reject'], 'description': 'A file goes for good.'},
}

if __name__ == '__main__':
    port = port_asked(8713)
    graph = create_agent(
        ScriptedModel(),
        tools=[send_email, delete_file],
        middleware=[HumanInTheLoopMiddleware(interrupt_on=REVIEWED)],
        # People answer days later: take a checkpointer that outlives the process.
        checkpointer=InMemorySaver(),
    )
    app = app_of(GraphExecutor(graph, 'Some calls need a review.'), 'python graph', 'Has its calls reviewed', port)
    asyncio.run(serve(app, 'python graph', port))
