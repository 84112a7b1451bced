// The tables of what works with each framework are those that test/journeys/agents/framework-cells.test.ts plays.
import { expect, test } from '@jest/globals';
import { columns, frameworks } from '../rigs/agents/framework-cells.ts';
import { read } from '../source-tree.ts';

const lines = read('docs/agents.md').split('\n');
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Tables whose rows are these frameworks, side by side: what each column says of each of them. */
function written(): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {};
  for (const [at, line] of lines.entries()) {
    const [first, ...heads] = cellsOf(line);
    if (first !== 'framework' || !heads.every((head) => columns.some((column) => column === head))) continue;
    const rest = lines.slice(at + 2);
    for (const row of rest.slice(0, rest.indexOf(''))) {
      const [name = '', ...cells] = cellsOf(row);
      found[name] = { ...found[name], ...Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ''])) };
    }
  }
  return found;
}

test('docs/agents.md says of each framework what the journey of its cells holds, and no more', () => {
  const held = Object.values(frameworks).map(({ name, cells }) => [
    name,
    Object.fromEntries(columns.map((column) => [column, cells[column] === true ? 'yes' : `no (${cells[column]})`])),
  ]);
  expect(written()).toEqual(Object.fromEntries(held));
});

test('docs/agents.md explains each gap by the framework’s own limit', () => {
  const numbers = new Set(Object.values(frameworks).flatMap(({ cells }) => Object.values(cells)));
  numbers.delete(true);
  const isExplained = (number: number | true): boolean => lines.some((line) => line.startsWith(`- (${number}) `));
  expect([...numbers].filter((number) => !isExplained(number))).toEqual([]);
});

const at = 'test/rigs/agents/frameworks';
/** Each version that a table names, and where the run that installs it has it from. */
const pinned: [name: string, file: string, named: RegExp][] = [
  ['google-adk', 'test/rigs/agents/python/requirements.txt', /\| Google ADK (\S+)/g],
  ['langgraph-api', `${at}/langgraph/requirements.txt`, /langgraph-api (\d[\d.]*)/g],
  ['strands-agents', `${at}/strands/requirements.txt`, /\| AWS Strands (\d\S*)/g],
  ['@mastra/core', `${at}/mastra/package.json`, /\| Mastra (\d\S*)/g],
  ['agentstack-sdk', `${at}/agentstack/requirements.txt`, /agentstack-sdk (\d[\d.]*)/g],
  ['kagent-adk', `${at}/kagent/requirements.txt`, /\| kagent-adk (\d\S*)/g],
  ['@langchain/langgraph', `${at}/langgraphjs/package.json`, /\| LangGraph.js (\d\S*)/g],
  ['@openai/agents', `${at}/openaiagents/package.json`, /\| @openai\/agents (\d\S*)/g],
  ['github.com/a2aproject/a2a-go/v2', `${at}/a2ago/go.mod`, /\| a2a-go (\d\S*)/g],
  ['crewai', `${at}/crewai/requirements.txt`, /\| CrewAI (\d\S*)/g],
  ['agno', `${at}/agno/requirements.txt`, /\| agno (\d\S*)/g],
  ['fasta2a', `${at}/fasta2a/requirements.txt`, /\(fasta2a (\d[\d.]*)/g],
  ['ag2', `${at}/ag2/requirements.txt`, /\| AG2 (\d\S*)/g],
  ['beeai-framework', `${at}/beeai/requirements.txt`, /\| BeeAI framework (\d\S*)/g],
  ['@modelcontextprotocol/sdk', 'package.json', /`@modelcontextprotocol\/sdk` (\d[\d.]*)/g],
  ['@modelcontextprotocol/client', 'package.json', /`@modelcontextprotocol\/client` (\d[\d.]*)/g],
  ['mcp', 'examples/ask/python/requirements.txt', /Python \(`mcp` (\d[\d.]*)/g],
];

function versionIn(file: string, name: string): string {
  const named = read(file)
    .split('\n')
    .flatMap((line) => /^[\s"]*([^\s"=[]+)[^\s"=]*(?:==|": "| v)([^"\s]+)/.exec(line.replace('require ', '')) ?? []);
  return named[named.indexOf(name) + 1] ?? '';
}

test.each(pinned)('docs/agents.md names the version of %s that the tests install', (name, file, named) => {
  const version = versionIn(file, name);
  const all = lines.flatMap((line) => [...line.matchAll(named)].map(([, one = '']) => one));
  expect([file, version]).toEqual([file, expect.stringMatching(/^\d/)]);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter((one) => version !== one && !version.startsWith(`${one}.`))).toEqual([]);
});
