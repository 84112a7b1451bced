"""Google's ADK with an agent behind Standfast as its remote agent: says one thing to it and prints what comes.

    adk_caller.py http://127.0.0.1:8600/a2a/expenses/ "Lunch with the customer, 84.50 EUR"

STANDFAST_API_KEY: its key, where Standfast has keys.
"""

import asyncio
import os
import sys

import httpx
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai import types


async def main(url: str, text: str) -> None:
    key = os.environ.get('STANDFAST_API_KEY')
    headers = {} if key is None else {'Authorization': f'Bearer {key}'}
    card = f'{url.rstrip("/")}/.well-known/agent-card.json'
    # People take their time, and the stream is quiet meanwhile.
    http = httpx.AsyncClient(headers=headers, timeout=None)
    agent = RemoteA2aAgent(name='remote', agent_card=card, httpx_client=http)
    runner = InMemoryRunner(agent=agent, app_name='caller')
    session = await runner.session_service.create_session(app_name='caller', user_id='anna')
    said = types.Content(role='user', parts=[types.Part(text=text)])
    async for event in runner.run_async(user_id='anna', session_id=session.id, new_message=said):
        if event.error_message:
            print('error:', event.error_message, flush=True)
        for part in event.content.parts if event.content else []:
            if part.text:
                print('thought:' if part.thought else 'text:', part.text, flush=True)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1], ' '.join(sys.argv[2:])))
