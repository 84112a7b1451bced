"""A caller on Google's ADK whose remote agent asks back: asks in one process and answers in another, by its session on disk.

    adk_answering.py URL DATABASE ask '{"session": "text"}'
    adk_answering.py URL DATABASE answer '{"session": {"tool": {…the response…}}}'

Prints a line of JSON for each session: the words that came, and which calls wait for a response.
"""

import asyncio
import json
import sys

from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types

APP = 'caller'
USER = 'anna'


def waiting_calls(events) -> list[types.FunctionCall]:
    """What the last event with calls waits for."""
    for event in reversed(events):
        calls = [call for call in event.get_function_calls() if call.id in (event.long_running_tool_ids or set())]
        if calls:
            return calls
    return []


async def run(runner: Runner, session: str, said: types.Content) -> None:
    events = []
    async for event in runner.run_async(user_id=USER, session_id=session, new_message=said):
        events.append(event)
    parts = [part for event in events for part in (event.content.parts if event.content else []) or []]
    print(
        json.dumps(
            {
                'session': session,
                'calls': [{'name': call.name, 'args': call.args} for call in waiting_calls(events)],
                'texts': [part.text for part in parts if part.text and not part.thought],
                'errors': [event.error_message for event in events if event.error_message],
            }
        ),
        flush=True,
    )


async def main(url: str, database: str, verb: str, given: dict) -> None:
    agent = RemoteA2aAgent(
        name='remote', agent_card=f'{url.rstrip("/")}/.well-known/agent-card.json', use_legacy=False
    )
    service = SqliteSessionService(database)
    runner = Runner(agent=agent, app_name=APP, session_service=service)
    for session, what in given.items():
        if verb == 'ask':
            await service.create_session(app_name=APP, user_id=USER, session_id=session)
            parts = [types.Part(text=what)]
        else:
            kept = await service.get_session(app_name=APP, user_id=USER, session_id=session)
            parts = [
                types.Part(
                    function_response=types.FunctionResponse(id=call.id, name=call.name, response=what[call.name])
                )
                for call in waiting_calls(kept.events)
            ]
        await run(runner, session, types.Content(role='user', parts=parts))


if __name__ == '__main__':
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])))
