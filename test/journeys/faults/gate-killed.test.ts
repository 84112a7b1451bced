// kill -9 of worker, api and the tool's own server around a call that people approved at a gate: it is made at most once, its result
// is kept, and where no one knows whether it was made, operators are asked.
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type HoldView, HoldViewSchema } from '../../../src/contract/holds/hold.ts';
import type { StandfastClient } from '../../rigs/product/standfast.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, decided, longMs } from '../setting.ts';
import { startSplit, type Api, type Split } from '../split/split.ts';

const supervisor = createSupervisor();
const keyOf = (who: string): string => `${who}-8d1f60c2b97e4a35d0c6f1e2a4b79d83`;
const keys = { bot: keyOf('bot'), fin: keyOf('fin'), op: keyOf('op') };
const toolServer = fileURLToPath(new URL('../../rigs/gates/tool-server.js', import.meta.url));

let dir: string;
let toolPort: number;
let tools: RigProcess;
let split: Split;
let api: Api;
let worker: RigProcess | null = null;

async function startTools(): Promise<RigProcess> {
  const args = [toolServer, String(toolPort), dir];
  const started = supervisor.start({ name: 'the tool server', command: process.execPath, args });
  await started.waitForLine(/^ready/, longMs);
  return started;
}

beforeAll(async () => {
  buildOnce();
  dir = await supervisor.tempDir('tools');
  toolPort = await supervisor.freePort();
  tools = await startTools();
  split = await startSplit(
    supervisor,
    `
policies:
  pay: { audience: ['role:finance'] }
ask: { policy: pay }
gates:
  tools: { url: 'http://127.0.0.1:${toolPort}/mcp', policy: pay, wait: 500ms, timeout: 60s }
auth:
  keys:
    - { user: bot, key: '${keys.bot}', kind: agent }
    - { user: fin, key: '${keys.fin}', roles: [finance] }
    - { user: op, key: '${keys.op}', roles: [operator] }
`,
  );
  api = await split.startApi();
});
afterEach(async () => {
  await rm(join(dir, 'hang'), { force: true });
  if (!tools.isRunning()) tools = await startTools();
  if (worker?.isRunning() === true) await worker.kill9();
  worker = null;
});
afterAll(() => supervisor.end());

/** How often the server was called for this. */
function callsFor(to: string): number {
  const file = join(dir, 'calls');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line.includes(JSON.stringify(to))).length;
}

const as = (who: keyof typeof keys): StandfastClient => api.as(keys[who]);

/** What the client of the gate reads: of the call under this name, which it may make as often as it likes. */
async function call(to: string): Promise<string> {
  const response = await fetch(`${api.url}/gates/tools/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.bot}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'pay', arguments: { to }, _meta: { 'io.standfast/call': to } },
    }),
  });
  return response.text();
}

/** The client calls again until it reads this. */
const calledUntil = (to: string, words: string): Promise<boolean> =>
  waitFor(async () => (await call(to).catch(() => '')).includes(words), 90_000, `${to}: ${words}`);

async function open(to: string, kind: 'people' | 'operators'): Promise<HoldView> {
  return waitFor(
    async () => {
      const { body } = await as('op').get('/api/holds?status=open&limit=200');
      const all = (body as { items: unknown[] }).items.map((item) => HoldViewSchema.parse(item));
      return all.find((hold) =>
        kind === 'operators'
          ? hold.kind === 'operator' && hold.message.includes('tools/pay')
          : JSON.stringify(hold).includes(JSON.stringify(to)),
      );
    },
    90_000,
    `the question to ${kind} about ${to}`,
  );
}

async function approve(to: string): Promise<void> {
  const asked = await open(to, 'people');
  const answer = await decided(as('fin'), asked.id, { status: 'resolved', values: { approved: true } });
  expect(answer).toMatchObject({ status: 200 });
}

async function settle(to: string, choice: 'send_again' | 'give_up'): Promise<void> {
  const unconfirmed = await open(to, 'operators');
  expect(await decided(as('op'), unconfirmed.id, { status: 'resolved', values: { choice } })).toMatchObject({
    status: 200,
  });
}

const begin = async (seam?: string): Promise<RigProcess> => {
  worker = await split.startWorker(seam === undefined ? {} : { STANDFAST_TEST_SEAM: seam });
  return worker;
};

async function killAt(seam: string, doomed: RigProcess): Promise<void> {
  await doomed.waitForLine(new RegExp(`held at ${seam}`), longMs);
  await doomed.kill9();
}

describe('an approved call of a gate whose worker is killed', () => {
  // Promise GA5
  test('an approved call whose worker is killed before it sends is not made until an operator says so, and then once', async () => {
    const to = 'before';
    const doomed = await begin('call.intended');
    await call(to);
    await approve(to);
    await killAt('call.intended', doomed);
    await begin();
    await open(to, 'operators');
    expect(callsFor(to)).toBe(0);
    await settle(to, 'send_again');
    await calledUntil(to, 'pay is done');
    expect(callsFor(to)).toBe(1);
  });

  // Promise GA5
  test('an approved call whose worker is killed while the server works on it is made once, and operators are asked', async () => {
    const to = 'during';
    await writeFile(join(dir, 'hang'), '');
    const doomed = await begin();
    await call(to);
    await approve(to);
    await waitFor(() => callsFor(to) === 1, 90_000, 'the call to reach the server');
    await doomed.kill9();
    await begin();
    await settle(to, 'give_up');
    await calledUntil(to, 'was not made');
    expect(callsFor(to)).toBe(1);
  });

  // Promise GA5
  test('an approved call whose worker is killed before its result is kept is made once, and operators are asked', async () => {
    const to = 'answered';
    const doomed = await begin('call.answered');
    await call(to);
    await approve(to);
    await killAt('call.answered', doomed);
    await begin();
    await settle(to, 'give_up');
    expect(callsFor(to)).toBe(1);
  });

  // Promise GA5
  test('an approved call whose worker is killed once its result is kept is made once, and its client gets the result', async () => {
    const to = 'kept';
    const doomed = await begin('call.kept');
    await call(to);
    await approve(to);
    await killAt('call.kept', doomed);
    await begin();
    await calledUntil(to, 'pay is done');
    expect(callsFor(to)).toBe(1);
  });
});

describe('an approved call of a gate whose api is killed', () => {
  // Promise GA4
  // Promise GA6
  test.each([
    ['while people are asked', false],
    ['while the server works on it', true],
  ])(
    'an approved call whose api is killed %s is made once, and its client gets the result of another api',
    async (when, isDuring) => {
      const to = `api ${when}`;
      if (isDuring) await writeFile(join(dir, 'hang'), '');
      await begin();
      await call(to);
      await open(to, 'people');
      if (isDuring) {
        await approve(to);
        await waitFor(() => callsFor(to) === 1, 90_000, 'the call to reach the server');
      }
      await api.process.kill9();
      api = await split.startApi();
      if (isDuring) await rm(join(dir, 'hang'));
      else await approve(to);
      await calledUntil(to, 'pay is done');
      expect(callsFor(to)).toBe(1);
    },
  );
});

describe('an approved call of a gate whose server is killed', () => {
  // Promise GA5
  test('an approved call whose server is killed before it is made waits for the server, and is made once', async () => {
    const to = 'server before';
    await begin();
    await call(to);
    await open(to, 'people');
    await tools.kill9();
    await approve(to);
    const isAway = async (): Promise<boolean> => {
      const { body } = await as('op').get('/api/tasks?limit=200');
      return JSON.stringify(body).includes('agent_away');
    };
    await waitFor(isAway, 90_000, 'the call to wait for its server');
    tools = await startTools();
    await calledUntil(to, 'pay is done');
    expect(callsFor(to)).toBe(1);
  });

  // Promise GA5
  test('an approved call whose server is killed in the middle of it is not made again without an operator', async () => {
    const to = 'server during';
    await writeFile(join(dir, 'hang'), '');
    await begin();
    await call(to);
    await approve(to);
    await waitFor(() => callsFor(to) === 1, 90_000, 'the call to reach the server');
    await tools.kill9();
    await rm(join(dir, 'hang'));
    tools = await startTools();
    await settle(to, 'give_up');
    await calledUntil(to, 'was not made');
    expect(callsFor(to)).toBe(1);
  });

  // Promise GA6
  test('an approved call whose server is killed after it gives its client the kept result', async () => {
    const to = 'server after';
    await begin();
    await call(to);
    await approve(to);
    await calledUntil(to, 'pay is done');
    await tools.kill9();
    expect(await call(to)).toContain('pay is done');
    expect(callsFor(to)).toBe(1);
  });
});
