// The process of `approve-hook`, as a coding agent starts it: what it reads is the exit code and standard output.
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { program } from '../../rigs/product/standfast.ts';
import { waitFor } from '../../rigs/wait-for.ts';

let server: Server;
let url = '';
/** Requests so far, as method and path, by the key that they came with. */
const seen = new Map<string, string[]>();
/** What becomes of a question, by the key. */
const answers: Record<string, (method: string, response: ServerResponse) => void> = {
  'key-unknown': (_method, response) => void response.writeHead(401).end('{}'),
  'key-forbidden': (_method, response) => void response.writeHead(403).end('{"code":"forbidden"}'),
  'key-html': (_method, response) => void response.writeHead(200).end('<h1>Sign in</h1>'),
  'key-500': (_method, response) => void response.writeHead(500).end(),
  'key-hangs': () => undefined,
  'key-reset': (_method, response) => void response.socket?.destroy(),
  'key-expires': (method, response) =>
    void (method === 'POST' ? response.end(waiting) : response.writeHead(401).end('{}')),
  'key-waits': (method, response) => {
    if (method !== 'GET') response.end(waiting);
  },
};
const waiting = JSON.stringify({ id: 'hook:session:call', status: 'waiting' });

beforeAll(async () => {
  server = createServer((request, response) => {
    const key = (request.headers.authorization ?? '').replace('Bearer ', '');
    seen.set(key, [...(seen.get(key) ?? []), `${request.method} ${request.url?.split('?')[0]}`]);
    request.resume().on('end', () => answers[key.replace(/#.*/, '')]?.(request.method ?? '', response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const call = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 'session',
  tool_name: 'Bash',
  tool_input: { command: 'rm -rf /' },
  tool_use_id: 'call',
});

interface Ended {
  code: number | null;
  out: string;
}
interface Start {
  key?: string;
  input?: string | null;
  args?: string[];
  nodeOptions?: string;
  stdout?: 'pipe' | 'ignore';
}

function start({ key = 'key-waits', input = call, args = [], nodeOptions = '', stdout = 'pipe' }: Start): ChildProcess {
  const all = ['approve-hook', '--url', url, '--wait', '60s', '--otherwise', 'deny', ...args];
  const env = { ...process.env, STANDFAST_API_KEY: key, NODE_OPTIONS: nodeOptions };
  const child = spawn(process.execPath, [program, ...all], { env, stdio: ['pipe', stdout, 'ignore'] });
  child.stdin?.on('error', () => undefined);
  if (input !== null) child.stdin?.end(input);
  return child;
}
async function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out };
}
const run = (options: Start): Promise<Ended> => ended(start(options));
const untilAsked = (key: string): Promise<unknown> =>
  waitFor(async () => seen.get(key)?.includes('GET /api/ask') || undefined, 20_000, 'the hook waits for people');

const isDenied = ({ code, out }: Ended): boolean => code === 0 && /"permissionDecision":"deny"/.test(out);

describe('approve-hook as a process', () => {
  // Promise Y91
  test.each(['key-unknown', 'key-forbidden', 'key-html', 'key-500', 'key-hangs', 'key-reset', 'key-expires'])(
    'approve-hook denies, if it shall, and does not end in an error: %s',
    async (key) => {
      expect(isDenied(await run({ key, args: ['--wait', '3s'] }))).toBe(true);
    },
  );

  // Promise Y91
  test('approve-hook ends with exit code 2 for a call, a flag or an address that it cannot read', async () => {
    const closed = { code: 2, out: '' };
    expect(await run({ input: '' })).toEqual(closed);
    expect(await run({ input: '{"hook_event_name":"PreToolUse"' })).toEqual(closed);
    expect(await run({ args: ['--wait', 'soon'] })).toEqual(closed);
    expect(await run({ args: ['--otherwise', 'allow'] })).toEqual(closed);
    expect(await run({ args: ['--polizy', 'finance'] })).toEqual(closed);
    expect(await run({ input: null, args: ['--wait', '1s'] })).toEqual(closed);
    expect(isDenied(await run({ args: ['--url', 'nowhere'] }))).toBe(true);
  });

  // Promise Y91
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'approve-hook withdraws its question and ends with exit code 2 on %s',
    async (signal) => {
      const key = `key-waits#${signal}`;
      const child = start({ key });
      const end = ended(child);
      await untilAsked(key);
      child.kill(signal);
      expect(await end).toEqual({ code: 2, out: '' });
      expect(seen.get(key)).toContain('DELETE /api/ask');
    },
  );

  // Promise Y91
  test('approve-hook ends with exit code 2 where no one can read its verdict', async () => {
    expect((await run({ key: 'key-unknown', stdout: 'ignore' })).code).toBe(2);
    const child = start({ key: 'key-expires', args: ['--wait', '3s'] });
    const code = new Promise((resolve) => child.on('exit', resolve));
    child.stdout?.destroy();
    expect(await code).toBe(2);
  });

  // Promise Y91
  test.each([
    ['an exception that nobody caught', 'setTimeout(() => { throw new Error("x") }, 2000)'],
    ['a rejection that nobody handled', 'setTimeout(() => void Promise.reject(new Error("x")), 2000)'],
    ['an exit of another part', 'setTimeout(() => process.exit(0), 2000)'],
  ])('approve-hook ends with exit code 2 after %s', async (_what, code) => {
    expect(await run({ nodeOptions: `--import data:text/javascript,${encodeURIComponent(code)}` })).toEqual({
      code: 2,
      out: '',
    });
  });
});
