// Public MCP servers behind gates, as their registries have them, with clients of four SDKs: what they list, a call that passes, and
// one that is held, approved and made once.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startGateRig, type Called, type GateRig } from '../../rigs/gates/gate-rig.ts';
import { connectByLines, pythonClient } from '../../rigs/gates/line-client.ts';

const node = process.env['STANDFAST_TEST_MCP_NODE'] ?? '';
const python = process.env['STANDFAST_TEST_MCP_PYTHON'] ?? '';
const sqlite = process.env['STANDFAST_TEST_MCP_SQLITE'] ?? '';
const go = process.env['STANDFAST_TEST_MCP_GO'] ?? '';
const isThere = [node, python, sqlite, go].every((path) => path !== '');
const clients = ['older', 'negotiated', 'python', 'go'] as const;
type ClientKind = (typeof clients)[number];

const supervisor = createSupervisor();
let rig: GateRig;
let dir: string;
let site: { url: string; seen: string[] };

const npmServer = (name: string, ...args: string[]): string[] => [
  process.execPath,
  join(node, 'node_modules/@modelcontextprotocol', name, 'dist/index.js'),
  ...args,
];
const pypiServer = (name: string, ...args: string[]): string[] => [python, '-m', name, ...args];

interface Case {
  gate: string;
  /** Tools that the server lists, among others. */
  lists: string[];
  passed: () => [tool: string, args: JsonObject, result: string];
  held: (of: ClientKind) => [tool: string, args: JsonObject];
  result: string;
  /** How often the call of this client had its effect. */
  effects: (of: ClientKind) => number;
}

const times = (text: string, part: string): number => text.split(part).length - 1;
const gitIn = (...args: string[]): string =>
  execFileSync('git', ['-C', join(dir, 'repo'), ...args], { encoding: 'utf8' });

const cases: Case[] = [
  {
    gate: 'filesystem',
    lists: ['read_text_file', 'write_file', 'edit_file'],
    passed: () => ['read_text_file', { path: join(dir, 'files/notes.txt') }, 'a line'],
    held: (of) => [
      'edit_file',
      { path: join(dir, 'files/notes.txt'), edits: [{ oldText: 'a line', newText: `a line\nof ${of}` }] },
    ],
    result: 'of ',
    effects: (of) => times(readFileSync(join(dir, 'files/notes.txt'), 'utf8'), `of ${of}`),
  },
  {
    gate: 'everything',
    lists: ['echo', 'get-sum'],
    passed: () => ['echo', { message: 'hello' }, 'hello'],
    held: (of) => ['get-sum', { a: 2, b: of.length }],
    result: 'sum of',
    // What it adds up leaves no trace.
    effects: () => 1,
  },
  {
    gate: 'memory',
    lists: ['read_graph', 'create_entities'],
    passed: () => ['read_graph', {}, 'entities'],
    held: (of) => ['create_entities', { entities: [{ name: of, entityType: 'client', observations: [`saw ${of}`] }] }],
    result: 'saw ',
    effects: (of) => times(readFileSync(join(dir, 'memory.json'), 'utf8'), `saw ${of}`),
  },
  {
    gate: 'fetch',
    lists: ['fetch'],
    passed: () => ['fetch', { url: `${site.url}/passed`, raw: true, max_length: 100 }, 'a page'],
    held: (of) => ['fetch', { url: `${site.url}/${of}`, raw: true, max_length: 1_000 }],
    result: 'a page',
    effects: (of) => site.seen.filter((path) => path === `/${of}`).length,
  },
  {
    gate: 'git',
    lists: ['git_status', 'git_commit'],
    passed: () => ['git_status', { repo_path: join(dir, 'repo') }, 'On branch'],
    held: (of) => ['git_create_branch', { repo_path: join(dir, 'repo'), branch_name: `of-${of}` }],
    result: 'of-',
    effects: (of) => times(gitIn('branch', '--list', `of-${of}`), `of-${of}`),
  },
  {
    gate: 'sqlite',
    lists: ['read_query', 'write_query'],
    passed: () => ['read_query', { query: "SELECT 'a row' AS what" }, 'a row'],
    held: (of) => ['create_table', { query: `CREATE TABLE of_${of} (id INTEGER)` }],
    result: 'created',
    effects: (of) => times(readFileSync(join(dir, 'rows.db'), 'latin1'), `CREATE TABLE of_${of} `),
  },
];

const pass = (tool: string, data?: string): JsonObject => ({
  tool,
  ...(data === undefined ? {} : { data }),
  then: 'pass',
});

async function startSite(): Promise<typeof site> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.setHeader('content-type', 'text/plain').end('a page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  supervisor.defer(async () => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

(isThere ? describe : describe.skip)('public MCP servers behind gates', () => {
  beforeAll(async () => {
    dir = await supervisor.tempDir('servers');
    for (const name of ['files', 'repo']) mkdirSync(join(dir, name));
    writeFileSync(join(dir, 'files/notes.txt'), 'a line\n');
    gitIn('init', '--quiet');
    gitIn('-c', 'user.name=anna', '-c', 'user.email=a@example.com', 'commit', '--allow-empty', '--message', 'first');
    site = await startSite();
    const gate = { policy: 'pay', wait: '30s' };
    rig = await startGateRig(supervisor, {
      gates: {
        filesystem: {
          ...gate,
          command: npmServer('server-filesystem', join(dir, 'files')),
          rules: [pass('read_*'), pass('list_*')],
        },
        everything: { ...gate, command: npmServer('server-everything', 'stdio'), rules: [pass('echo')] },
        memory: {
          ...gate,
          command: npmServer('server-memory'),
          env: { MEMORY_FILE_PATH: join(dir, 'memory.json') },
          rules: [pass('read_graph')],
        },
        fetch: {
          ...gate,
          command: pypiServer('mcp_server_fetch', '--allow-private-ips', '--ignore-robots-txt'),
          rules: [pass('fetch', 'max_length <= 100')],
        },
        git: {
          ...gate,
          command: pypiServer('mcp_server_git', '--repository', join(dir, 'repo')),
          rules: [pass('git_status')],
        },
        sqlite: {
          ...gate,
          // It has no module to run.
          command: [sqlite, '-c', 'from mcp_server_sqlite import main; main()', '--db-path', join(dir, 'rows.db')],
          rules: [pass('read_query')],
        },
      },
    });
  });
  afterAll(() => (rig === undefined ? supervisor.end() : rig.stop()));

  async function connect(
    kind: ClientKind,
    gate: string,
  ): Promise<{
    tools(): Promise<string[]>;
    call(name: string, args: JsonObject): Promise<Called>;
  }> {
    if (kind !== 'python' && kind !== 'go') return rig.connect('bot', kind, gate);
    const program = kind === 'go' ? [go] : pythonClient(python);
    const client = await connectByLines(program, `${rig.url}/gates/${gate}/mcp`, rig.keys.bot);
    supervisor.defer(async () => client.close());
    return client;
  }

  const names = { older: 'older', negotiated: 'newest', python: 'Python', go: 'Go' };
  describe.each(clients)('a client of the %s SDK', (kind) => {
    // Promise GA4
    // Promise GA5
    test.each(cases.map((one) => [one.gate, one] as const))(
      `a client of the ${names[kind]} SDK lists, calls and waits at a gate before the %s server, whose held call is made once`,
      async (gate, { lists, passed, held, result, effects }) => {
        const client = await connect(kind, gate);
        expect(await client.tools()).toEqual(expect.arrayContaining(lists));
        const [tool, args, text] = passed();
        const came = await client.call(tool, args);
        expect(came).toMatchObject({ isError: false });
        expect(came.text).toContain(text);

        const [heldTool, heldArgs] = held(kind);
        const waiting = client.call(heldTool, heldArgs);
        const hold = await rig.asked();
        expect(hold.question.tool).toMatchObject({ name: `${gate}/${heldTool}`, args: heldArgs });
        if (gate !== 'everything') expect(existing(effects, kind)).toBe(0);
        expect(await rig.decide(hold, { approved: true })).toBe(200);
        const made = await waiting;
        expect(made).toMatchObject({ isError: false });
        expect(made.text).toContain(result);
        expect(effects(kind)).toBe(1);
      },
    );
  });
});

/** Nothing is there of a file that no call has made yet. */
function existing(effects: (of: ClientKind) => number, kind: ClientKind): number {
  try {
    return effects(kind);
  } catch {
    return 0;
  }
}
