// A writer of Temporal's namespace sends the workflow commands in others' names: it believes only those that a process of
// Standfast signed for it, whether payloads are encrypted or not.
// Promise Y76a
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection, WorkflowUpdateFailedError } from '@temporalio/client';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { SignedCommand } from '../../../src/core/base/signed-command.ts';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { createPayloadCodec, dataConverterOf } from '../../../src/host/temporal/payload-codec.ts';
import { shortQueue, taskQueue, taskWorkflowType } from '../../../src/workflows/messages.ts';
import { resolveTemporal } from '../../../src/host/temporal/temporal-cli.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { useColumnKeys } from '../../../src/store/sealed-columns.ts';
import { answer, startCore, type Core } from '../../rigs/engine/engine.ts';
import { prover } from '../../rigs/proofs.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const fin = { id: 'fin', roles: ['finance'], isSuper: true, credential: 'key:fin-2026' };
const green = { colour: 'green' };
const at = (): string => new Date().toISOString();
const json = Buffer.from('json/plain');
const keys = createCodecKeys('c0'.repeat(32));

/** Each command in another's name, by its update. */
function commandsOf(hold: { holdId: string; interruptId: string }): [name: string, command: object][] {
  const named = { principal: fin, receivedAt: at() };
  const entry = answer(hold, green);
  const resume = { kind: 'resume', runId: 'forged', fingerprint: 'f', entries: [entry] };
  return [
    ['decide', { entry, ...named, source: 'page' }],
    ['run', { ...resume, ...named }],
    ['amend', { hold: hold.holdId, kind: 'reassign', to: ['user:mallory'], note: null, ...named }],
    ['message', { text: 'Go on', messageId: randomUUID(), ...named }],
  ];
}

/** `forbidden` of a refused update, or what became of it. */
async function outcomeOf(update: Promise<unknown>): Promise<unknown> {
  try {
    return ['taken', await update];
  } catch (error) {
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
    return error.cause !== undefined && 'type' in error.cause ? error.cause.type : error.message;
  }
}

describe.each([
  ['clear', null],
  ['encrypted', keys],
] as const)('a command in another’s name, where payloads are %s,', (_kind, codec) => {
  const supervisor = createSupervisor();
  let core: Core;
  let connection: Connection;

  beforeAll(async () => {
    const store =
      codec === null ? {} : { codec, store: await openStore({ pglite: await openMemoryDatabase(), keys: codec }) };
    core = await startCore(supervisor, store);
    connection = await Connection.connect(core.temporal.target.connection);
  });
  afterAll(async () => {
    await connection?.close();
    await (core === undefined ? supervisor.end() : core.stop());
    useColumnKeys(null);
  });

  /** A client that sends as the hostile one does, and reads as api and worker do. */
  function clientWith({ payloadCodecs = [] }: DataConverter): Client {
    const [own] = dataConverterOf(codec, prover).payloadCodecs ?? [];
    const encode: PayloadCodec['encode'] = async (payloads, context) =>
      payloadCodecs[0]?.encode(payloads, context) ?? payloads;
    const decode: PayloadCodec['decode'] = async (payloads, context) => own?.decode(payloads, context) ?? payloads;
    const dataConverter = { payloadCodecs: [{ encode, decode }] };
    return new Client({ connection, namespace: core.temporal.target.namespace, dataConverter });
  }
  const send = (client: Client, task: TaskCase, name: string, id: string, argument: unknown): Promise<unknown> =>
    outcomeOf(
      client.workflow
        .getHandle(task.workflowId)
        .executeUpdate<unknown, [unknown]>(name, { updateId: id, args: [argument] }),
    );
  const signed = (task: TaskCase, name: string, id: string, command: object): SignedCommand => ({
    workflowId: task.workflowId,
    name,
    id,
    signedAt: at(),
    command,
  });
  async function expectOpen(task: TaskCase, holdId: string): Promise<void> {
    expect(await core.engine.store.holds.get(holdId)).toMatchObject({ status: 'open', decision: null, votes: [] });
    expect(await task.holds()).toHaveLength(1);
  }

  test('a command in another’s name is refused by `temporal workflow update execute`, as it is and with what a signed one has around it', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
    const { address } = core.temporal.target.connection;
    for (const [name, command] of commandsOf(hold)) {
      const around = { workflowId: task.workflowId, name, id: 'forged-1', signedAt: at(), command };
      for (const input of [command, around]) {
        const args = [
          'workflow',
          'update',
          'execute',
          '--address',
          String(address),
          '--namespace',
          core.temporal.target.namespace,
          '--update-id',
          'forged-1',
        ];
        args.push('--workflow-id', task.workflowId, '--name', name, '--input', JSON.stringify(input));
        const run = promisify(execFile)(source.use === 'cli' ? source.path : '', args);
        await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('Standfast did not sign this') });
      }
    }
    await expectOpen(task, hold.holdId);
  });

  test('a command in another’s name is refused without a MAC, by the MAC of another key, and by one that was made up', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const stranger = createProver('another key of at least thirty-two characters');
    const clients: [string, Client][] = [
      ['none', clientWith({})],
      ['another key', clientWith(dataConverterOf(codec, stranger))],
      [
        'made up',
        clientWith(dataConverterOf(codec, { payloadMacOf: () => Buffer.alloc(32), isPayloadMac: () => false })),
      ],
      [
        'too short',
        clientWith(dataConverterOf(codec, { payloadMacOf: () => Buffer.alloc(0), isPayloadMac: () => false })),
      ],
    ];
    for (const [how, client] of clients)
      for (const [name, command] of commandsOf(hold)) {
        const id = randomUUID();
        expect([how, name, await send(client, task, name, id, signed(task, name, id, command))]).toEqual([
          how,
          name,
          'forbidden',
        ]);
      }
    await expectOpen(task, hold.holdId);
  });

  test('a command in another’s name is refused where it was signed for another workflow, update, id or an earlier execution', async () => {
    const [task, other] = [await core.engine.open('form => complete'), await core.engine.open('form => complete')];
    const hold = await task.asked();
    const own = clientWith(dataConverterOf(codec, prover));
    for (const [name, command] of commandsOf(hold)) {
      const id = randomUUID();
      const early = { workflowId: task.workflowId, name, id, signedAt: '2026-01-01T00:00:00.000Z', command };
      const wrong = [
        signed(other, name, id, command),
        signed(task, name === 'run' ? 'decide' : 'run', id, command),
        signed(task, name, randomUUID(), command),
        early,
      ];
      for (const one of wrong) expect(await send(own, task, name, id, one)).toBe('forbidden');
    }
    await expectOpen(task, hold.holdId);
  });

  test('a command in another’s name is not repeated by a copy of one that was taken', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const id = randomUUID();
    const move = {
      hold: hold.holdId,
      kind: 'reassign',
      to: ['user:anna'],
      note: null,
      principal: fin,
      receivedAt: at(),
    };
    await task.update('amend', move, id);
    const back = { ...move, to: ['user:bob'] };
    await task.update('amend', back);
    const event = (await core.engine.client.workflow.getHandle(task.workflowId).fetchHistory()).events?.find(
      (one) => one.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.meta?.updateId === id,
    );
    const copied = event?.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args?.payloads ?? [];
    expect(copied).toHaveLength(1);
    const copying = clientWith({
      payloadCodecs: [{ encode: async () => copied, decode: async (payloads) => payloads }],
    });
    await send(copying, task, 'amend', id, null).catch(() => null);
    expect(await send(copying, task, 'amend', randomUUID(), null)).toBe('forbidden');
    const row = await waitFor(
      async () =>
        (await core.engine.store.holds.ofTask(task.taskId)).find(({ audience }) => audience.includes('user:bob')),
      20_000,
      'the second move',
    );
    expect(row.audience).not.toContain('user:anna');
  });

  // Promise Y76
  test('a task that was started with a made-up state fails, and leaves no row', async () => {
    const task = await core.engine.open('form => complete');
    await task.asked();
    const { events } = await core.engine.client.workflow.getHandle(task.workflowId).fetchHistory();
    const [copied] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    const made = { version: 1, taskId: 'made-up', phase: 'holding', holds: [] };
    const copying = clientWith({
      payloadCodecs: [
        { encode: async (given) => (copied ? [copied, ...given.slice(1)] : given), decode: async (p) => p },
      ],
    });
    for (const [n, client] of [clientWith({}), copying].entries()) {
      const options = { workflowId: `a2a/fake/made-up-${n}`, taskQueue, args: [{ taskId: 'made-up' }, made] };
      const handle = await client.workflow.start(taskWorkflowType, options);
      await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'unproved' } });
    }
    expect(await core.engine.store.tasks.get('made-up')).toBeNull();
  });

  // Promise Y76
  test('an activity that a workflow of somebody else’s calls with a made-up decision refuses it', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const { workflowService } = connection;
    const { namespace } = core.temporal.target;
    const [workflowId, queue] = [`stranger-${randomUUID()}`, `strangers-${randomUUID()}`];
    const own = {
      workflowId: task.workflowId,
      taskId: task.taskId,
      agent: 'fake',
      threadId: 't',
      owner: 'local',
    };
    const decision = { by: 'fin', at: at(), status: 'resolved', values: green, reason: null, source: 'page' };
    const closed = { holdId: hold.holdId, status: 'decided', decision, votes: [], ended: null, supersededBy: null };
    const input = { task: own, status: 'DONE', holds: [closed], run: null, skipped: [] };
    const data = Buffer.from(JSON.stringify(input));
    const payloads = [{ metadata: { encoding: json }, data }];
    const handle = await clientWith({}).workflow.start('strange', { workflowId, taskQueue: queue, args: [] });
    const polled = await connection.withDeadline(Date.now() + 20_000, () =>
      workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: queue } }),
    );
    await workflowService.respondWorkflowTaskCompleted({
      namespace,
      taskToken: polled.taskToken,
      commands: [
        {
          commandType: 1,
          scheduleActivityTaskCommandAttributes: {
            activityId: '1',
            activityType: { name: 'recordDecisions' },
            taskQueue: { name: shortQueue },
            input: { payloads },
            startToCloseTimeout: msToTs('30s'),
            scheduleToCloseTimeout: msToTs('30s'),
          },
        },
      ],
    });
    const failed = await waitFor(
      async () => (await handle.fetchHistory()).events?.find((one) => one.activityTaskFailedEventAttributes),
      20_000,
      'the activity to fail',
    );
    expect(failed.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo).toMatchObject({
      type: 'unproved',
      nonRetryable: true,
    });
    await handle.terminate();
    await expectOpen(task, hold.holdId);
  });

  // Promise Y76
  test.each([
    [
      'with a made-up result',
      { payloads: [{ metadata: { encoding: json }, data: Buffer.from('{"kind":"completed"}') }] },
    ],
    ['without a result', null],
  ])('a turn that somebody else completes %s fails its task', async (_how, result) => {
    const name = randomUUID();
    const task = await core.engine.open(`gate ${name}; form => complete`);
    await core.agent.atGate(name);
    const { pendingActivities } = (await task.handle.describe()).raw;
    await connection.workflowService.respondActivityTaskCompletedById({
      namespace: core.temporal.target.namespace,
      workflowId: task.workflowId,
      activityId: pendingActivities?.[0]?.activityId ?? '',
      result,
    });
    expect(await task.status('FAILED')).toMatchObject({
      error: { message: 'the result of an activity was not made by a process of this Standfast' },
    });
    await core.agent.openGate(name);
  });

  test('a cancel that Standfast did not sign does not say who cancels', async () => {
    const [task, other] = [await core.engine.open('form => complete'), await core.engine.open('form => complete')];
    const [hold, otherHold] = [await task.asked(), await other.asked()];
    await task.handle.signal('cancelBy', { taskId: task.taskId, by: 'fin' });
    await task.handle.cancel();
    expect((await task.settled(hold.holdId)).ended?.by).toBe('operator');
    await core.engine.tasks.cancel(other, 'fin');
    expect((await other.settled(otherHold.holdId)).ended?.by).toBe('fin');
    expect([await task.closed(), await other.closed()]).toEqual(['CANCELLED', 'CANCELLED']);
  });

  if (codec !== null)
    test('a command is refused in clear with the right MAC, and encrypted by the codec endpoint without one', async () => {
      const task = await core.engine.open('form => complete');
      const hold = await task.asked();
      const clear = clientWith(dataConverterOf(null, prover));
      const endpoint = clientWith({ payloadCodecs: [createPayloadCodec(codec)] });
      for (const [name, command] of commandsOf(hold)) {
        const id = randomUUID();
        const around = signed(task, name, id, command);
        expect(await send(clear, task, name, id, around)).toBe('forbidden');
        for (const argument of [command, around])
          expect(await send(endpoint, task, name, id, argument)).toBe('forbidden');
      }
      await expectOpen(task, hold.holdId);
    });
});
