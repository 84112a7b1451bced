// The tables of bindings in docs/a2a.md say what the journeys play, and which test holds each column.
import { expect, test } from '@jest/globals';
import { bindings, sdks } from '../rigs/agents/binding-agent.ts';
import { callersInClear, callersInTls } from '../rigs/agents/sdk-callers.ts';
import { read } from '../source-tree.ts';
import { isTested } from './named-tests.ts';

const names = { JSONRPC: 'JSON-RPC', 'HTTP+JSON': 'HTTP+JSON', GRPC: 'gRPC' };
const short = (sdk: string): string => sdk.replace('JavaScript', 'JS').replace('Python', 'Py');
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The table whose first column has this head, with what follows it up to the next paragraph that ends in a colon. */
function tableOf(head: string): { columns: string[]; rows: string[][]; held: Map<string, string[]> } {
  const [, after = ''] = read('docs/a2a.md').split(`| ${head} |`);
  const [table = '', ...rest] = `| ${head} |${after}`.split('\n\n');
  const [heads = '', , ...rows] = table.split('\n');
  const list = rest.find((part) => part.startsWith('- ')) ?? '';
  const held = new Map<string, string[]>();
  for (const one of list.split(/^- /m).slice(1)) {
    const [column = '', ...tests] = one.split(/\n +- /);
    held.set(
      column,
      tests.map((name) => name.trim().slice(1, -1)),
    );
  }
  return { columns: cellsOf(heads).slice(1), rows: rows.map(cellsOf), held };
}

const agents = tableOf('Standfast calls agents by');
const callers = tableOf('callers call Standfast by');

test('docs/a2a.md says of each binding and column that the agents of every SDK are called, as the journeys play it', () => {
  const all = agents.columns.map(() => sdks.map(short).join(', '));
  expect(agents.columns.length).toBeGreaterThan(6);
  expect(agents.rows).toEqual(bindings.map((binding) => [names[binding], ...all]));
});

test('docs/a2a.md names for each column of its bindings a test that holds it', () => {
  for (const { columns, held } of [agents, callers]) {
    expect([...held.keys()]).toEqual(columns);
    for (const tests of held.values()) {
      expect(tests).not.toEqual([]);
      expect(tests.filter((name) => !isTested(name))).toEqual([]);
    }
  }
});

test('docs/a2a.md says of each binding which SDKs call it, in clear and in TLS, as the journeys play it', () => {
  const of = (all: readonly (readonly [string, string])[], binding: string, version: string): string[] =>
    all.flatMap(([sdk, one]) => (one === binding && sdk.endsWith(version) ? [short(sdk.split(' ')[0] ?? '')] : []));
  const written = (binding: (typeof bindings)[number]): string[] => {
    // Those of 1.0 for JavaScript are test/journeys/callers/a2a-server.test.ts.
    const newest = ['JS', ...of(callersInClear, binding, '1.0')].join(', ');
    const [old, oldInTls] = [of(callersInClear, binding, '0.3'), of(callersInTls, binding, '0.3')];
    const older = old.length > 0 ? `0.3: ${old.join(', ')}` : `0.3 (in TLS alone): ${oldInTls.join(', ')}`;
    const inTls = `${of(callersInTls, binding, '1.0').join(', ')}; 0.3: ${oldInTls.join(', ')}`;
    return [names[binding], `${newest}; ${older}`, newest, oldInTls.length > 0 ? inTls : "a proxy's"];
  };
  expect(callers.rows).toEqual(bindings.map(written));
});
