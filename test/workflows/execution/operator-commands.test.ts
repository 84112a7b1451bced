// An operator's first commands, by Temporal's own command line against tasks that are encrypted.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { useColumnKeys } from '../../../src/store/sealed-columns.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { startCore, type Core } from '../../rigs/engine/engine.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { runTemporal } from '../../rigs/process/temporal-command.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';

const supervisor = createSupervisor();
const keys = createCodecKeys('c0'.repeat(32));
const key = 'the-key-of-the-codec-endpoint-alone';
let core: Core;
let api: FastifyInstance;
let through: string[] = [];

beforeAll(async () => {
  const store = await openStore({ pglite: await openMemoryDatabase(), keys });
  core = await startCore(supervisor, { store, codec: keys, config: { codec: { key } } });
  api = apiOf(core.engine, keys);
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  through = ['--codec-endpoint', `${url}/codec`, '--codec-auth', `Bearer ${key}`];
});
afterAll(async () => {
  await api?.close();
  await core?.stop();
  useColumnKeys(null);
});

const title = 'Which colour is the bike shed';
const script = JSON.stringify({
  turns: [
    [{ do: 'form', title, fields: [{ name: 'colour', label: 'Colour', type: 'text' }] }],
    [{ do: 'fail', text: 'the paint is sold out' }],
  ],
});

async function asked(): Promise<TaskCase> {
  const task = await core.engine.open(script);
  await task.asked();
  await task.quiet();
  return task;
}

const command = (
  verb: string[],
  { workflowId }: TaskCase,
  more: string[] = [],
): Promise<{ stdout: string; stderr: string; isOk: boolean }> => {
  const { namespace } = core.engine.client.options;
  const where = ['--workflow-id', workflowId, '--namespace', namespace, '--address', `127.0.0.1:${core.temporal.port}`];
  return runTemporal(['workflow', ...verb, ...where, ...more]);
};

// Promise PR4
test.each([
  ['query', ['query', '--type', 'task'], title],
  ['metadata', ['metadata'], '**Waiting for people**'],
  ['show', ['show', '--output', 'json'], null],
  ['describe', ['describe'], 'StandfastStatus'],
])(
  'the first commands of an operator: %s succeeds with the codec endpoint, and shows no words without it',
  async (_name, verb, words) => {
    const task = await asked();
    const open = await command(verb, task, through);
    expect({ isOk: open.isOk, stderr: open.stderr }).toMatchObject({ isOk: true });
    if (words !== null) expect(open.stdout.replaceAll('\\', '')).toContain(words.replaceAll('\\', ''));
    const closed = await command(verb, task);
    expect(closed.stdout + closed.stderr).not.toContain(title);
  },
);

// Promise PR4
test.each([
  ['with the codec endpoint', true],
  ['without the codec endpoint', false],
])('a signal by Temporal’s command line answers the question, %s', async (_how, isThrough) => {
  const task = await asked();
  const { interruptId } = await task.asked();
  const input = JSON.stringify({ interruptId, values: { colour: 'green' } });
  const sent = await command(['signal', '--name', 'formResponse', '--input', input], task, isThrough ? through : []);
  expect(sent.isOk).toBe(true);
  const [hold] = await task.status('FAILED').then(() => task.holds());
  expect(hold?.decision).toMatchObject({ by: 'operator:temporal', values: { colour: 'green' } });
  // Its current details begin with why it failed.
  await task.closed();
  const details = await task.details();
  expect(details.split('\n')[0]).toBe('**Failed: the agent failed**: the paint is sold out (FAILED agent_failed)');
});

// Promise PR4
test('an update by Temporal’s command line shows its result through the codec endpoint', async () => {
  const task = await core.engine.open('gate through; complete');
  await core.agent.atGate('through');
  const args = ['update', 'execute', '--name', 'message', '--input', '{"text":"how far are you"}'];
  const sent = await command(args, task, through);
  expect(sent).toMatchObject({ isOk: true });
  expect(sent.stdout).toContain('injected');
  await core.agent.openGate('through');
});

// Promise PR4
test('an update by Temporal’s command line without the codec endpoint is taken, and its error is about the result alone', async () => {
  const task = await core.engine.open('gate closed; complete');
  await core.agent.atGate('closed');
  const args = ['update', 'execute', '--name', 'message', '--input', '{"text":"how far are you"}'];
  const sent = await command(args, task);
  expect(sent.isOk).toBe(false);
  expect(sent.stderr).toContain('encoding binary/encrypted');
  const updates = (await task.history()).map(({ eventType }) => eventType);
  expect(updates).toContain('EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED');
  await core.agent.openGate('closed');
});

// Promise PR4
test('the environment that the guide sets for Temporal’s command line has the codec endpoint', async () => {
  const task = await asked();
  const file = [
    '--env-file',
    join(await mkdtemp(join(tmpdir(), 'standfast-env-')), 'temporal.yaml'),
    '--env',
    'standfast',
  ];
  const [, endpoint = '', , auth = ''] = through;
  const settings = { 'codec-endpoint': endpoint, 'codec-auth': auth };
  for (const [name, value] of Object.entries(settings))
    expect(await runTemporal(['env', 'set', ...file, '--key', name, '--value', value])).toMatchObject({ isOk: true });
  expect((await command(['query', '--type', 'task'], task, file)).stdout).toContain(title);
});
