// Programs on agent frameworks that cannot ask over A2A (examples/ask), each with its real package: killed while people think.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { StandfastClient } from '../../rigs/product/standfast.ts';
import { installWheel } from '../../rigs/process/python-wheel.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { startHttpSink, type HttpSink } from '../../rigs/sinks.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { root } from '../../source-tree.ts';
import { decided, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const run = promisify(execFile);
const python = process.env['STANDFAST_TEST_ASKING_PYTHON'];
const aiSdk = process.env['STANDFAST_TEST_AI_SDK'];
const keys = { bot: 'key-of-the-bot-1234', finn: 'key-of-finn-1234' };
const configText = `
policies:
  finance: { audience: ['role:finance'], expire: { after: 2h, then: fail } }
ask: { policy: finance }
egress: { allow: [127.0.0.1/32] }
auth:
  keys:
    - { user: bot, kind: agent, key: '${keys.bot}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
`;

let sink: HttpSink;
/** Where the wheel of packages/python is installed, and the programs in JavaScript with their packages. */
let site = '';
let modules = '';
const as = (who: keyof typeof keys): StandfastClient => up.as(keys[who]);

/** The program next to the AI SDK and a built client. */
async function installClient(): Promise<string> {
  const dir = await supervisor.tempDir('client');
  const client = join(dir, 'node_modules/@standfast/client');
  await mkdir(client, { recursive: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const outDir = join(client, 'dist');
  await run(process.execPath, [tsc, '-p', join(root, 'packages/client'), '--outDir', outDir], { cwd: root });
  await cp(join(root, 'packages/client/package.json'), join(client, 'package.json'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'eventsource-parser'])
    await symlink(join(root, 'node_modules', name), join(dir, 'node_modules', name));
  await symlink(join(aiSdk ?? '', 'node_modules/ai'), join(dir, 'node_modules/ai'));
  await cp(join(root, 'examples/ask/js/ai-sdk-payment.js'), join(dir, 'ai-sdk-payment.mjs'));
  return dir;
}

const { supervisor, up } = startProduct(configText);
beforeAll(async () => {
  [site, modules, sink] = await Promise.all([
    python === undefined ? '' : installWheel(supervisor, python),
    aiSdk === undefined ? '' : installClient(),
    startHttpSink(),
  ]);
});
afterAll(() => sink?.close());

function start(program: string, runId: string, dir: string): RigProcess {
  const isPython = program.endsWith('.py');
  const path = isPython ? join(root, 'examples/ask/python', program) : join(modules, program);
  const env = {
    STANDFAST_URL: up.url,
    STANDFAST_API_KEY: keys.bot,
    RUNS_DIR: dir,
    NO_PROXY: '127.0.0.1,localhost',
    ...(isPython && { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1' }),
  };
  const command = isPython ? (python ?? '') : process.execPath;
  return supervisor.start({ name: `${program} ${runId}`, command, args: [path, runId], env });
}

const OpenSchema = z.object({
  items: z.array(z.object({ id: z.string(), kind: z.string(), context: z.object({ toolArgs: z.unknown() }) })),
});
type Open = z.infer<typeof OpenSchema>['items'];
const openHolds = async (): Promise<Open> =>
  OpenSchema.parse((await as('finn').get('/api/holds?status=open')).body).items;

/** The one question that is open. */
async function asked(): Promise<Open[number]> {
  const [hold] = await waitFor(
    async () => {
      const open = await openHolds();
      return open.length === 1 && open;
    },
    longMs,
    'one open question',
  );
  if (hold === undefined) throw new Error('no question is open');
  return hold;
}
const decide = async (holdId: string, values: object): Promise<void> => {
  expect((await decided(as('finn'), holdId, { status: 'resolved', values })).status).toBe(200);
};
const paymentsIn = (dir: string): Promise<string> => readFile(join(dir, 'payments.txt'), 'utf8').catch(() => '');

const ofPython = [
  'pydantic_ai_payment.py',
  'openai_agents_payment.py',
  'agno_payment.py',
  'agent_framework_payment.py',
];
const programs = [...(python === undefined ? [] : ofPython), ...(aiSdk === undefined ? [] : ['ai-sdk-payment.mjs'])];

(programs.length === 0 ? describe.skip : describe)('a program on a framework that cannot ask over A2A', () => {
  test.each(programs)(
    'the program %s, killed between question and answer, pays once after it started again',
    async (program) => {
      const dir = await supervisor.tempDir('runs');
      // Ids are a space of each key: all programs here have the same.
      const runId = `yes-${program}`;
      const first = start(program, runId, dir);
      const hold = await asked();
      expect(hold).toMatchObject({ kind: 'tool_call', context: { toolArgs: { amount: 4210, to: 'Miller Ltd' } } });
      await first.kill9();
      expect(await paymentsIn(dir)).toBe('');
      await decide(hold.id, { approved: true });
      const second = start(program, runId, dir);
      await second.waitForLine(/^done: paid 4210 to Miller Ltd/m, longMs);
      expect(await paymentsIn(dir)).toBe('4210 Miller Ltd\n');
      expect(await openHolds()).toEqual([]);
    },
  );

  test.each(programs)('the program %s does not pay what was refused', async (program) => {
    const dir = await supervisor.tempDir('runs');
    const only = start(program, `no-${program}`, dir);
    await decide((await asked()).id, { approved: false, reason: 'too dear' });
    // The model of the example says what it read; Microsoft's framework has words of its own for a refusal.
    await only.waitForLine(/^done: .*(finn did not approve this call: too dear|rejected by user)/m, longMs);
    expect(await paymentsIn(dir)).toBe('');
  });
});

(python === undefined ? test.skip : test)(
  'the typed example asks for a booking, and pays what was approved',
  async () => {
    const dir = await supervisor.tempDir('runs');
    const program = start('typed_payment.py', 'typed', dir);
    const form = await asked();
    await decide(form.id, { centre: 'works', on: '2026-11-28', note: null });
    const call = await waitFor(
      async () => (await openHolds()).find(({ kind }) => kind === 'tool_call'),
      longMs,
      'the call',
    );
    expect(call.context.toolArgs).toEqual({ amount: 4210, to: 'Miller Ltd' });
    await decide(call.id, { approved: true });
    await program.waitForLine(/^done: paid 4210 to Miller Ltd for works on 2026-11-28/m, longMs);
    expect(await paymentsIn(dir)).toBe('4210 Miller Ltd\n');
  },
);

test('a question by plain HTTP reports its end to the address it named, without the answer', async () => {
  const body = { id: 'plain-1', message: 'Which colour?', callback: { url: sink.url } };
  expect((await as('bot').post('/api/ask', body)).status).toBe(202);
  const hold = await asked();
  await decide(hold.id, { text: 'red' });
  const [sent] = await waitFor(() => sink.got.length > 0 && sink.got, longMs, 'the callback');
  const data = { id: 'plain-1', version: 1, holdId: hold.id, status: 'answered' };
  expect(JSON.parse(sent?.body ?? '')).toEqual({ type: 'ask.ended', timestamp: expect.any(String), data });
});
