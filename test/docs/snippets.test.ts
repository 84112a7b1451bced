// Each block of code of docs/agents.md and docs/front-ends.md is held by a test: one without is found here.
import { expect, test } from '@jest/globals';
import { formatProblems, loadConfig } from '../../src/config/config.ts';
import { read } from '../source-tree.ts';
import { isTested } from './named-tests.ts';

const asPrinted = 'the recipes for ADK, LangGraph and the Python a2a-sdk ask as they are printed';
const whole = 'the agent that docs/agents.md prints for ${recipe} asks by a form, and acts on the answer';
const lineByLine = 'docs/front-ends.md prints the code with `%s` as examples/front-ends/%s has it, line by line';
/** The line by which a block is known, and the test that holds it. */
const held: Record<string, [line: string, test: string][]> = {
  'docs/agents.md': [
    ["    name='accounts',", asPrinted],
    ['def confirm_first(tool, args, tool_context):', asPrinted],
    ['async def execute(self, context, event_queue):        # of an AgentExecutor', asPrinted],
    [
      '  const { tasks } = await graph.getState(thread);',
      'the recipe for LangGraph prints the JavaScript that its whole file has, line by line',
    ],
    ['from strands import Agent, ToolContext, tool', whole],
    ["import { Mastra } from '@mastra/core/mastra';", whole],
    ["import { Agent, run, tool } from '@openai/agents';", whole],
    ['from agentstack_sdk.server import Server', whole],
    [
      "  'opentelemetry-instrumentation-httpx==0.59b0'",
      'what docs/agents.md has pip install for kagent-adk is what the tests have',
    ],
    [
      '/** Of an AgentExecutor: asks before it pays, and reads the answer in the next turn. */',
      'the recipe for @a2a-js/sdk asks by a form as it is printed, and acts on the answer',
    ],
    ['from a2a.helpers import new_data_part, new_text_part', asPrinted],
    ['package main', whole],
    ['agents:', 'the configuration that docs/agents.md prints loads'],
    [
      '  {"id": "invoice-7", "tool": {"name": "pay", "args": {"amount": 4210}}, "message": "Invoice 7", "wait": 600}\'',
      'the five lines that docs/agents.md prints ask about a call by curl, and get what people approved',
    ],
    [
      'import standfast                         # STANDFAST_URL, STANDFAST_API_KEY',
      'the Python that docs/agents.md prints asks for approval and for a form, and has what people gave',
    ],
    [
      'class Booking:',
      'the Python that docs/agents.md prints asks for approval and for a form, and has what people gave',
    ],
    [
      'go get -tool github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
      'the generators that docs/agents.md prints are those by which the tests make clients',
    ],
    [
      "standfast approve 'Deploy 1.4 to production?' --id deploy-1.4 --wait 1h && ./deploy.sh",
      'the lines that docs/agents.md prints for shells go on after a yes, and have the answer of people',
    ],
    ['  "hooks": {', 'the hook of a coding agent is configured in docs/agents.md as in the file that is tried here'],
    [
      '  "mcpServers": {',
      'Claude Code without a terminal asks by permission_prompt over MCP, as docs/agents.md prints it, and runs what was approved',
    ],
  ],
  'docs/front-ends.md': [
    ['  "reason": "input_required",', 'the interrupt that docs/front-ends.md prints is written as it is there'],
    ['const history = {', lineByLine],
    ['const connection = fetchServerSentEvents(runUrl);', lineByLine],
    ["import { HttpAgent } from '@ag-ui/client';", lineByLine],
  ],
};

/** Code between fences, and indented by four after an empty line; not what a program prints (`text`). */
const blocksOf = (path: string): string[][] =>
  [...read(path).matchAll(/^```(\w+)\n([^]*?)^```$|(?<=\n\n)((?:^ {4}.*\n)+)/gm)]
    .filter(([, language]) => language !== 'text')
    .map(([, , fenced, indented = '']) => (fenced ?? indented.replaceAll(/^ {4}/gm, '')).split('\n'));

test.each(Object.keys(held))('each block of code of %s is held by a test', (path) => {
  const known = held[path] ?? [];
  const blocks = blocksOf(path);
  const holders = blocks.map((block) => known.filter(([line]) => block.includes(line)).map(([line]) => line));
  expect(holders).toEqual(known.map(([line]) => [line]));
  expect(known.map(([, name]) => name).filter((name) => !isTested(name))).toEqual([]);
});

test('the configuration that docs/agents.md prints loads', () => {
  const blocks = [...read('docs/agents.md').matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, yaml = '']) => yaml);
  expect(blocks).toHaveLength(1);
  for (const text of blocks) {
    const loaded = loadConfig({ text, env: {} });
    expect(loaded.ok ? '' : formatProblems(loaded.problems)).toBe('');
  }
});

test('what docs/agents.md has pip install for kagent-adk is what the tests have', () => {
  const [, command = ''] = /^```sh\npip install (kagent-adk [^]*?)^```$/m.exec(read('docs/agents.md')) ?? [];
  const words = command.split(/[\s\\]+/).flatMap((word) => word.replaceAll("'", '') || []);
  // The same are asked for at their newest, and were when the pinned versions were resolved.
  const [, wanted = ''] = /^ {2}kagent: \[([^\]]*)\]/m.exec(read('scripts/newest.mjs')) ?? [];
  expect(words).toEqual([...wanted.matchAll(/'([^']+)'/g)].map(([, one]) => one));
  const installed = read('test/rigs/agents/frameworks/kagent/requirements.txt').split('\n');
  for (const word of words.filter((one) => one.includes('=='))) expect(installed).toContain(word);
  expect(installed.find((line) => line.startsWith('a2a-sdk'))).toMatch(/^a2a-sdk(\[.*\])?==0\./);
});
