// Which test files need a Python, and which of them that of the agents.

/** The files that run nothing without Python, as a pattern of a path. */
export const withPython =
  'test/(journeys/(agents/((adk|python|langgraph|example-python|framework)-agent|langgraph-failure|adk-callbacks|framework-(bindings|cells|executors|mastra|printed|secured)|recipes)|callers/(a2a-schema|adk-callers|asking-(frameworks|printed)|mcp-programs|python-(package|types))|pages/chat-framework)|workflows/gates/public-servers)';

/** Those that run agents or callers in the Python of test/rigs/agents/python, which takes minutes to install. */
export const withAgentsPython =
  /agents\/((adk|python|langgraph|example-python)-agent|langgraph-failure|adk-callbacks|framework-(bindings|secured)|recipes)|callers\/(a2a-(callers|schema|sdk-callers)|adk-callers|copilotkit)/;
