"""An agent on Google's ADK whose model follows a script: everything is real but the model, and nothing leaves the machine.

It is the example adk_accounts.py with more ways of asking. The person's message is the script (examples/agents/python/script.py).
Once the tools have answered, the model says what each of them returned, and the task is completed.
"""

import argparse
import asyncio
import hashlib
import json
import os
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from adk_accounts import ASKING_TOOLS, ScriptedModel
from fastapi.openapi.models import APIKey, OAuth2, OAuthFlowAuthorizationCode, OAuthFlows
from google.adk.a2a.utils.agent_card_builder import AgentCardBuilder
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.auth.auth_credential import AuthCredential, AuthCredentialTypes, OAuth2Auth
from google.adk.auth.auth_tool import AuthConfig
from google.adk.tools import BaseTool, ToolContext, request_input
from google.adk.tools.authenticated_function_tool import AuthenticatedFunctionTool
from google.genai import types
from pydantic import ConfigDict
from serve_agent import serve
from starlette.applications import Starlette


def look_up(city: str) -> dict[str, Any]:
    """Finds a city at once, without a question."""
    return {'city': city, 'people': 3}


def read_report(credential: AuthCredential) -> dict[str, Any]:
    """Reads a report that needs an API key; tells the key's fingerprint only."""
    return {'report': 'all is well', 'key': fingerprint(credential.api_key or '')}


def read_calendar(credential: AuthCredential) -> dict[str, Any]:
    """Reads a calendar that needs an OAuth token; tells the token's fingerprint only."""
    token = credential.oauth2.access_token if credential.oauth2 else None
    return {'meetings': 2, 'token': fingerprint(token or '')}


def fingerprint(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:12]


class TokenEndpoint(BaseHTTPRequestHandler):
    """Exchanges the code `good-code` for the token `token-of-good-code`, and nothing else."""

    def do_POST(self) -> None:
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers['content-length'])).decode())
        is_good = form.get('code') == ['good-code']
        answer = {'access_token': 'token-of-good-code', 'token_type': 'Bearer', 'expires_in': 3600}
        body = json.dumps(answer if is_good else {'error': 'invalid_grant'}).encode()
        self.send_response(200 if is_good else 400)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: what is asked here is secret."""


def start_provider() -> str:
    """A provider of tokens on a thread of its own: ADK may block the agent's while it waits for one."""
    server = ThreadingHTTPServer(('127.0.0.1', 0), TokenEndpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f'http://127.0.0.1:{server.server_port}'


class HeaderKey(APIKey):
    """The place of the key as a plain word: ADK 2.13 cannot write the enum into a protobuf Struct, and the turn would fail."""

    model_config = ConfigDict(use_enum_values=True)


def report_access() -> AuthConfig:
    return AuthConfig(auth_scheme=HeaderKey.model_validate({'in': 'header', 'name': 'X-Report-Key'}))


def calendar_access(provider: str) -> AuthConfig:
    flow = OAuthFlowAuthorizationCode(
        authorizationUrl=f'{provider}/authorize', tokenUrl=f'{provider}/token', scopes={'calendar': 'Read the calendar'}
    )
    client = OAuth2Auth(
        client_id='standfast-rig', client_secret='secret-of-the-client', redirect_uri='http://127.0.0.1:9/back'
    )
    return AuthConfig(
        auth_scheme=OAuth2(flows=OAuthFlows(authorizationCode=flow)),
        raw_auth_credential=AuthCredential(auth_type=AuthCredentialTypes.OAUTH2, oauth2=client),
    )


def ask_in_words(callback_context: CallbackContext) -> types.Content | None:
    """Waits for the person's next message by words alone, as callbacks can: the turn ends without a pause."""
    said = callback_context.user_content.parts[0].text or ''
    if callback_context.state.get('asked') or not said.startswith('careful'):
        callback_context.state['asked'] = False
        return None
    callback_context.state['asked'] = True
    return types.Content(role='model', parts=[types.Part(text='May I go on with that?')])


def confirm_first(tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> dict[str, Any] | None:
    """The recipe of docs/agents.md: a confirmation in place of words."""
    if tool.name != 'look_up':
        return None
    asked = tool_context.tool_confirmation
    if asked is None:
        tool_context.request_confirmation(hint=f"Look up {args['city']}?")
        return {'status': 'waits for a person'}
    return None if asked.confirmed else {'status': 'refused'}


def build_agent(provider: str, way: str) -> LlmAgent:
    callbacks = {'before_agent_callback': ask_in_words, 'before_tool_callback': confirm_first}
    return LlmAgent(
        **(callbacks if way == 'callbacks' else {}),
        name='adk_agent',
        description='Asks in every way that ADK knows',
        model=ScriptedModel(),
        tools=[
            look_up,
            *ASKING_TOOLS,
            request_input,
            AuthenticatedFunctionTool(func=read_report, auth_config=report_access()),
            AuthenticatedFunctionTool(func=read_calendar, auth_config=calendar_access(provider)),
        ],
    )


async def build_app(port: int, way: str) -> Starlette:
    """`plain` is what most people write; `older` has a card of its own, which says nothing of ADK; `callbacks` asks by
    its callbacks."""
    agent = build_agent(start_provider(), way)
    if way != 'older':
        return to_a2a(agent, host='127.0.0.1', port=port)
    card = await AgentCardBuilder(agent=agent, rpc_url=f'http://127.0.0.1:{port}/').build()
    del card.skills[:]
    return to_a2a(agent, host='127.0.0.1', port=port, agent_card=card)


async def main(port: int, way: str) -> None:
    await serve(await build_app(port, way), 'adk agent', port)


if __name__ == '__main__':
    # The provider is on this machine, without TLS.
    os.environ['AUTHLIB_INSECURE_TRANSPORT'] = '1'
    parser = argparse.ArgumentParser()
    parser.add_argument('--port', type=int, required=True)
    parser.add_argument('--way', choices=['plain', 'older', 'callbacks'], required=True)
    options = parser.parse_args()
    asyncio.run(main(options.port, options.way))
