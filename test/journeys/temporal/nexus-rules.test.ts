// What a workflow of somebody else's may ask over Nexus, and what it gets: with payloads of Standfast's own encrypted.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { AskReply } from '../../../src/contract/views/ask.ts';
import { asError } from '../../rigs/as-error.ts';
import type { OneCall } from '../../rigs/temporal-caller/workflows.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { quietTemporal } from '../../rigs/engine/temporal.ts';
import { decided, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const finn = 'key-of-finn-1234';
const configText = `
policies:
  finance: { audience: ['role:finance'], receipt: true }
  other: { audience: ['role:finance'] }
  short: { audience: ['role:finance'], expire: { after: 1s, then: fail } }
ask:
  policy: other
  nexus: { default: { policy: finance, policies: [finance, short] } }
auth:
  keys:
    - { user: finn, roles: [finance, operator], key: '${finn}' }
`;
const key = (): string => randomBytes(32).toString('hex');
const env = { STANDFAST_CODEC_KEY: key(), STANDFAST_SEAL_KEY: key() };

const { up } = startProduct(() => Promise.resolve({ configText, env }));
let client: Client;
let native: NativeConnection;
let worker: Worker;
let running: Promise<void>;
beforeAll(async () => {
  quietTemporal();
  const address = up.temporalAddress;
  client = new Client({ connection: Connection.lazy({ address }) });
  native = await NativeConnection.connect({ address });
  const workflowsPath = fileURLToPath(new URL('../../rigs/temporal-caller/workflows.ts', import.meta.url));
  worker = await Worker.create({ connection: native, taskQueue: 'callers', workflowsPath });
  running = worker.run();
});
afterAll(async () => {
  worker?.shutdown();
  await running;
  await Promise.all([native?.close(), client?.connection.close()]);
});

const call = (workflowId: string, one: OneCall): Promise<WorkflowHandle> =>
  client.workflow.start('callStandfast', { taskQueue: 'callers', workflowId, args: [one] });
const replyTo = async (handle: WorkflowHandle): Promise<AskReply> => (await handle.result()) as AskReply;
/** What Standfast says of an operation that it refused. */
const refusalOf = async (handle: WorkflowHandle): Promise<string> => {
  const words = (error: unknown): string[] =>
    error === undefined ? [] : [asError(error).message, ...words(asError(error).cause)];
  return handle.result().then(
    () => 'not refused',
    (error: unknown) => words(error).join('\n'),
  );
};

const ListSchema = z.object({ items: z.array(z.object({ id: z.string(), title: z.string() })) });
const openTitled = async (title: string): Promise<string[]> =>
  ListSchema.parse((await up.as(finn).get('/api/holds?status=open')).body).items.flatMap((one) =>
    one.title === title ? [one.id] : [],
  );
const asked = (title: string): Promise<string> =>
  waitFor(async () => (await openTitled(title))[0] ?? false, longMs, `the question "${title}"`);
const decide = async (holdId: string, values: object): Promise<void> => {
  expect((await decided(up.as(finn), holdId, { status: 'resolved', values })).status).toBe(200);
};

describe('a workflow that asks over Nexus', () => {
  // Promise NX1
  // Promise NX6
  test('a question is answered in its own fields, and its asker is named by namespace and workflow', async () => {
    const schema = { type: 'object', properties: { region: { enum: ['eu', 'us'] } }, required: ['region'] };
    const handle = await call('where-1', { operation: 'ask', input: { message: 'Which region?', schema } });
    const holdId = await asked('Which region?');
    const hold = (await up.as(finn).get(`/api/holds/${holdId}`)).body;
    expect(JSON.stringify(hold)).toContain('workflow:default/where-1');
    await decide(holdId, { region: 'eu' });
    expect(await replyTo(handle)).toMatchObject({ status: 'answered', values: { region: 'eu' }, by: 'finn', holdId });
  });
  // Promise NX5
  // Promise NX6
  test('an approval comes with the arguments as people changed them, and with its receipt', async () => {
    const input = { tool: 'pay', args: { amount: 5 }, editable: true, title: 'Pay five?' };
    const handle = await call('pay-1', { operation: 'approve', input });
    await decide(await asked('Pay five?'), { approved: true, editedArgs: { amount: 4 } });
    const reply = await replyTo(handle);
    expect(reply).toMatchObject({ approved: true, verdict: 'yes', args: { amount: 4 } });
    expect(reply.receipt).toMatch(/^ey/);
  });
  // Promise NX3
  test('a policy that is not of its namespace is refused, also one that other programs may name', async () => {
    const handle = await call('pay-2', { operation: 'approve', input: { tool: 'pay', policy: 'other' } });
    expect(await refusalOf(handle)).toContain('forbidden: policy: other is none that a program’s question may name');
  });
  // Promise NX3
  test('what the rules of POST /api/ask refuse is refused, with its place', async () => {
    const secret = { type: 'object', properties: { pin: { type: 'string', format: 'password' } } };
    const cases: [OneCall, string][] = [
      [{ operation: 'ask', input: { message: 'x', schema: secret } }, 'schema: a secret'],
      [{ operation: 'ask', input: { message: '' } }, 'message: missing'],
      [{ operation: 'ask', input: { message: 'x', tool: { name: 'pay' } } }, 'tool'],
      [{ operation: 'approve', input: { tool: 'pay', callback: { url: 'http://127.0.0.1/' } } }, 'callback'],
      [{ operation: 'approve', input: null }, 'input_invalid'],
    ];
    const refused = await Promise.all(cases.map(async ([one], index) => refusalOf(await call(`unfit-${index}`, one))));
    for (const [index, [, words]] of cases.entries()) expect(refused[index]).toContain(words);
  });
  // Promise NX5
  test('a question that no one answered in time comes back as expired, not as a failure', async () => {
    const input = { message: 'Quick?', policy: 'short' };
    expect(await replyTo(await call('quick-1', { operation: 'ask', input }))).toMatchObject({
      status: 'expired',
      verdict: null,
    });
  });
  // Promise NX4
  test('the end of an operation’s time ends its question as expired', async () => {
    const handle = await call('late-1', { operation: 'ask', input: { message: 'Late?' }, within: '3s' });
    const holdId = await asked('Late?');
    expect(await refusalOf(handle)).toContain('timed out');
    await waitFor(
      async () => JSON.stringify((await up.as(finn).get(`/api/holds/${holdId}`)).body).includes('"status":"expired"'),
      longMs,
      'the question to be expired',
    );
  });
  // Promise NX2
  test('the same id in a workflow is one question, open or answered, and another workflow has its own', async () => {
    const input = { id: 'once', message: 'Once?' };
    const first = await call('once-1', { operation: 'ask', input });
    const holdId = await asked('Once?');
    await decide(holdId, { text: 'yes' });
    expect(await replyTo(first)).toMatchObject({ holdId });
    const again = await call('once-1', { operation: 'ask', input });
    expect(await replyTo(again)).toMatchObject({ holdId, values: { text: 'yes' } });
    const other = await call('once-2', { operation: 'ask', input });
    expect(await asked('Once?')).not.toBe(holdId);
    await other.terminate();
  });
  // Promise NX5
  test('what a person cancels in Standfast comes back as cancelled, and does not cancel the workflow', async () => {
    const handle = await call('cancelled-1', { operation: 'ask', input: { message: 'Cancelled?' } });
    const holdId = await asked('Cancelled?');
    const { taskId } = z.object({ taskId: z.string() }).parse((await up.as(finn).get(`/api/holds/${holdId}`)).body);
    expect((await up.as(finn).post(`/api/tasks/${taskId}/cancel`, {})).status).toBeLessThan(300);
    expect(await replyTo(handle)).toMatchObject({ holdId, status: 'cancelled', verdict: null });
  });
  // Promise NX7
  test('the histories of both workflows lead to each other', async () => {
    const handle = await call('linked-1', { operation: 'ask', input: { message: 'Linked?' } });
    await asked('Linked?');
    const { events } = await waitFor(
      async () => {
        const history = await handle.fetchHistory();
        return (history.events ?? []).some((one) => one.nexusOperationStartedEventAttributes) && history;
      },
      longMs,
      'the start of the operation',
    );
    const started = events?.find((one) => one.nexusOperationStartedEventAttributes);
    const asks = started?.links?.[0]?.workflowEvent?.workflowId ?? '';
    expect(asks).toMatch(/^a2a\/ask\//);
    const [first] = (await client.workflow.getHandle(asks).fetchHistory()).events ?? [];
    const back = [
      ...(first?.links ?? []),
      ...(first?.workflowExecutionStartedEventAttributes?.completionCallbacks ?? []).flatMap(
        ({ links }) => links ?? [],
      ),
    ];
    expect(back.map((link) => link.workflowEvent?.workflowId)).toContain('linked-1');
    await handle.terminate();
  });
});
