// The Python of docs/agents.md runs as it is printed there, on the real packages.
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { asking, printedBy, snippetsOf, withData } from '../../rigs/agents/printed-recipes.ts';
import { hasPython, python, pythonEnv } from '../../rigs/agents/python-agent.ts';

(hasPython ? test : test.skip)('the recipes for ADK, LangGraph and the Python a2a-sdk ask as they are printed', () => {
  const snippets = ['Google ADK', 'LangChain and LangGraph', 'Python a2a-sdk'].flatMap(snippetsOf);
  const confirmation = (hint: unknown, name: string): object =>
    withData({
      name: 'adk_request_confirmation',
      args: { toolConfirmation: { hint, confirmed: false }, originalFunctionCall: expect.objectContaining({ name }) },
    });
  const player = fileURLToPath(new URL('../../rigs/agents/python/recipes.py', import.meta.url));
  expect(printedBy(python, [player], JSON.stringify(snippets), pythonEnv)).toEqual([
    [asking(confirmation(expect.any(String), 'delete_file'))],
    [asking(confirmation('Pay invoice 7?', 'pay'))],
    [asking(withData({ question: 'Go on?' })), { state: 'TASK_STATE_COMPLETED', parts: [] }],
    [asking({ text: 'May I pay?' }, withData({ type: 'a2a.hitl.form', title: 'Pay?' }))],
  ]);
});
