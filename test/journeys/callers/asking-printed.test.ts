// What docs/agents.md prints for programs without A2A runs as it is printed, but for the address: curl, shells and Python.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { codeIn } from '../../rigs/agents/printed-recipes.ts';
import { HoldViewSchema, type HoldView } from '../../../src/contract/holds/hold.ts';
import { commandDir, type StandfastClient } from '../../rigs/product/standfast.ts';
import { installWheel } from '../../rigs/process/python-wheel.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { decided, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const python = process.env['STANDFAST_TEST_ASKING_PYTHON'];
// A caller has ids of its own, and two of the programs use the same.
const keys = { curl: 'key-of-curl-12345678', shell: 'key-of-shell-1234567', python: 'key-of-python-123456' };
const finnsKey = 'key-of-finn-12345678';
const { supervisor, up } = startProduct(`
policies: { finance: { audience: ['role:finance'] } }
ask: { policy: finance, policies: [finance] }
auth:
  keys:
${Object.entries(keys)
  .map(([user, key]) => `    - { user: ${user}, kind: agent, key: '${key}' }`)
  .join('\n')}
    - { user: finn, roles: [finance], key: '${finnsKey}' }
`);
const finn = (): StandfastClient => up.as(finnsKey);

let dir = '';
let site = '';
beforeAll(async () => {
  dir = await supervisor.tempDir('printed');
  if (python !== undefined) site = await installWheel(supervisor, python);
});

/** A program with this code as a shell runs it, and the address and key of its environment. */
async function start(who: keyof typeof keys, command: string, file: string, code: string): Promise<RigProcess> {
  const path = join(dir, file);
  await writeFile(path, code);
  const env = {
    BOT_KEY: keys[who],
    STANDFAST_API_KEY: keys[who],
    STANDFAST_URL: up.url,
    NO_PROXY: '127.0.0.1,localhost',
    PYTHONPATH: site,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return supervisor.start({ name: file, command, args: [path], cwd: dir, env });
}

/** Answers the question that asks this as soon as it is open. */
async function answer(asks: string, values: object): Promise<HoldView> {
  const hold = await waitFor(
    async () => {
      const { items } = (await finn().get('/api/holds?status=open')).body as { items: unknown[] };
      return items
        .map((item) => HoldViewSchema.parse(item))
        .find((one) => `${one.title} ${one.message}`.includes(asks));
    },
    longMs,
    `the question ${asks}`,
  );
  expect((await decided(finn(), hold.id, { status: 'resolved', values })).status).toBe(200);
  return hold;
}

const five = codeIn('Frameworks that cannot ask over A2A: five lines');

test('the five lines that docs/agents.md prints ask about a call by curl, and get what people approved', async () => {
  const [curl = ''] = five;
  const asking = await start('curl', 'bash', 'ask.sh', curl.replace('http://127.0.0.1:8600', up.url));
  expect(await answer('Invoice 7', { approved: true })).toMatchObject({
    kind: 'tool_call',
    tool: { name: 'pay' },
    context: { toolArgs: { amount: 4210 } },
  });
  expect((await asking.exited).code).toBe(0);
  expect(asking.output()).toMatch(/"status":"answered"/);
  expect(asking.output()).toMatch(/"verdict":"yes"/);
});

test('the lines that docs/agents.md prints for shells go on after a yes, and have the answer of people', async () => {
  const [lines = ''] = codeIn('Shells and pipelines');
  const bin = await commandDir(dir);
  await writeFile(join(dir, 'deploy.sh'), '#!/bin/sh\necho deploying\n', { mode: 0o755 });
  const code = `PATH='${bin}':"$PATH"\n${lines}echo "to $region"\n`;
  const asking = await start('shell', 'bash', 'shell.sh', code);
  await answer('Deploy 1.4 to production?', { approved: true });
  await asking.waitForLine(/^deploying$/, longMs);
  await answer('Which region?', { region: 'eu' });
  await asking.waitForLine(/^to eu$/, longMs);
});

(python === undefined ? test.skip : test)(
  'the Python that docs/agents.md prints asks for approval and for a form, and has what people gave',
  async () => {
    const snippets = five.slice(1).join('\n');
    const code = `def pay(amount): print('paid', amount, flush=True)\n${snippets}\nprint(booking)\n`;
    const asking = await start('python', python ?? '', 'ask.py', code);
    await answer('pay', { approved: true });
    await asking.waitForLine(/^paid 4210$/, longMs);
    await answer('Where does invoice 7 belong?', { centre: 'sales', amount: 84.5 });
    await asking.waitForLine(/^Booking\(centre='sales', amount=84\.5\)$/, longMs);
  },
);
