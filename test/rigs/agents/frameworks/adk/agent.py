"""Google ADK by a plain `to_a2a()`."""

import uvicorn
from adk_payer import payer
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from payer import port_given

port = port_given()
uvicorn.run(to_a2a(payer, host='127.0.0.1', port=port), host='127.0.0.1', port=port, log_level='warning')
