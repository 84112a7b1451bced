// What a writer of Temporal's namespace makes up, in bulk, on a real server: nothing of it is recorded, and no receipt is made.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, type Payload } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { dataConverterOf } from '../../../src/host/temporal/payload-codec.ts';
import { shortQueue, taskQueue, taskWorkflowType } from '../../../src/workflows/messages.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { anna, answer, startCore, type Core } from '../../rigs/engine/engine.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { isFull } from '../../rigs/properties.ts';
import { waitFor } from '../../rigs/wait-for.ts';

/** Of each kind; a usual run plays a share of them. */
const each = isFull ? 1_000 : 200;
/** So many of them at once; a server takes no larger message, and no more updates of a workflow at a time. */
const atOnce = 100;
const updatesAtOnce = 8;

/** In their order, so many at a time. */
async function inTurns<T>(size: number, play: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < each) {
    const next = Array.from({ length: Math.min(size, each - all.length) }, (_, n) => all.length + n);
    all.push(...(await Promise.all(next.map(play))));
  }
  return all;
}

/** An update that a process of Standfast signed. */
interface Signed {
  updateId: string;
  payload: Payload;
}

const activities = ['recordDecisions', 'closeTask', 'openHolds', 'amendHolds', 'recordStep', 'runTurn', 'stopAgent'];

describe('a writer of Temporal’s namespace, in bulk,', () => {
  const supervisor = createSupervisor();
  let core: Core;
  let connection: Connection;
  let task: TaskCase;
  let hold: HoldRow;
  let before: HoldRow[];
  /** Payloads of a genuine history, with their MACs. */
  let recorded: Payload[];
  let sent = 0;
  /** Another task of the same people. */
  let other: TaskCase;
  /** A genuine command of each. */
  let signed: { own: Signed; others: Signed };

  async function signedIn({ workflowId }: TaskCase): Promise<Signed> {
    return waitFor(
      async () => {
        const { events } = await core.engine.client.workflow.getHandle(workflowId).fetchHistory();
        const accepted = (events ?? []).flatMap((one) => one.workflowExecutionUpdateAcceptedEventAttributes ?? []);
        const request = accepted
          .flatMap(({ acceptedRequest }) => acceptedRequest ?? [])
          .find(({ input }) => input?.name === 'message');
        const [payload] = request?.input?.args?.payloads ?? [];
        return payload && { updateId: request?.meta?.updateId ?? '', payload };
      },
      20_000,
      'its message in the history',
    );
  }

  beforeAll(async () => {
    const policies = { four: { audience: ['role:finance'], exclude: ['requester'], receipt: true } };
    core = await startCore(supervisor, { agents: { four: { policy: 'four' } }, policies });
    connection = await Connection.connect(core.temporal.target.connection);
    task = await core.engine.open('form => form => complete', { agent: 'four' });
    other = await core.engine.open('form => form => complete', { agent: 'four' });
    for (const one of [task, other]) {
      await one.asked();
      expect(await one.say('Why?', anna)).toMatchObject({ kind: 'asked' });
    }
    signed = { own: await signedIn(task), others: await signedIn(other) };
    hold = await task.asked(2);
    await other.asked(2);
    // Its row is written once more, with what followed the word.
    await task.quiet();
    before = await task.holds();
    const { events = [] } = await core.engine.client.workflow.getHandle(task.workflowId).fetchHistory();
    recorded = (events ?? []).flatMap((one) => [
      ...(one.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
      ...(one.activityTaskScheduledEventAttributes?.input?.payloads ?? []),
      ...(one.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    ]);
    sent = (await core.agent.messages()).length;
  });
  afterAll(async () => {
    await connection?.close();
    await (core === undefined ? supervisor.end() : core.stop());
  });

  /** As it is, whatever the arguments are. */
  const sending = (payloads: Payload[]): Client => {
    const codec = { encode: async () => payloads, decode: async (given: Payload[]) => given };
    const { namespace } = core.temporal.target;
    return new Client({ connection, namespace, dataConverter: { payloadCodecs: [codec] } });
  };
  const made = (value: unknown): Payload => ({
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(JSON.stringify(value)),
  });
  const decision = {
    by: 'fin',
    at: new Date().toISOString(),
    status: 'resolved',
    values: { colour: 'green' },
    reason: null,
  };
  const forged = (n: number): Payload => {
    const one = recorded[n % recorded.length] ?? made(null);
    const copied = { metadata: one.metadata ?? {}, data: one.data ?? null };
    const { taskId, workflowId } = task;
    const own = { taskId, workflowId, agent: 'four', threadId: task.threadId, owner: 'local', firstExecutionRunId: '' };
    const closed = { holdId: hold.holdId, status: 'decided', decision, votes: [], ended: null, supersededBy: null };
    const values = [
      { task: own, holds: [closed], status: 'DONE', run: null, skipped: [], end: { kind: 'completed' } },
      { ...own, phase: 'holding', holds: [{ ...hold, decision, status: 'decided' }], version: 1 },
      { workflowId, name: 'decide', id: `${n}`, signedAt: decision.at, command: { entry: closed } },
    ];
    return n % 2 === 0 ? copied : { ...(n % 4 === 1 ? copied : {}), ...made(values[n % 3]) };
  };
  const expectAsBefore = async (): Promise<void> => {
    expect(await task.holds()).toEqual(before);
    expect((await core.agent.messages()).length).toBe(sent);
  };

  /** A workflow of theirs, on their own queue, calls activities with what they made up or copied. */
  async function expectRefused(from: number): Promise<void> {
    const { namespace } = core.temporal.target;
    const [workflowId, queue] = [`stranger-${randomUUID()}`, `strangers-${randomUUID()}`];
    const handle = await sending([]).workflow.start('strange', { workflowId, taskQueue: queue, args: [] });
    const { workflowService } = connection;
    const { taskToken } = await connection.withDeadline(Date.now() + 20_000, () =>
      workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: queue } }),
    );
    const commands = Array.from({ length: atOnce }, (_, n) => ({
      commandType: 1,
      scheduleActivityTaskCommandAttributes: {
        activityId: `${n}`,
        activityType: { name: activities[n % activities.length] ?? '' },
        taskQueue: { name: n % 2 === 0 ? shortQueue : taskQueue },
        input: { payloads: [forged(from + n)] },
        startToCloseTimeout: msToTs('60s'),
        scheduleToCloseTimeout: msToTs('60s'),
      },
    }));
    await workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, commands });
    const failed = await waitFor(
      async () => {
        const { events } = await handle.fetchHistory();
        const ended = (events ?? []).flatMap((one) => one.activityTaskFailedEventAttributes ?? []);
        return ended.length === atOnce ? ended : undefined;
      },
      50_000,
      'the activities to fail',
    );
    expect(new Set(failed.map(({ failure }) => failure?.applicationFailureInfo?.type))).toEqual(new Set(['unproved']));
    await handle.terminate();
  }

  // Promise Y76
  test('a writer of Temporal’s namespace, in bulk, starts no task by what they made up or copied', async () => {
    const failures = await inTurns(atOnce, async (n) => {
      const workflowId = `a2a/four/made-up-${n}`;
      const client = sending([forged(n), forged(n + 1)]);
      const handle = await client.workflow.start(taskWorkflowType, { workflowId, taskQueue, args: [null, null] });
      return handle.result().catch((error: unknown) => (error as { cause?: { type?: unknown } }).cause?.type);
    });
    expect(failures).toEqual(failures.map(() => 'unproved'));
    await expectAsBefore();
  });

  // Promise Y76
  test('a writer of Temporal’s namespace, in bulk, has no activity act by a workflow on a queue of their own', async () => {
    for (let from = 0; from < each; from += atOnce) await expectRefused(from);
    await expectAsBefore();
  });

  const strangers = createProver('another key of at least thirty-two characters');
  const zeros = { payloadMacOf: () => Buffer.alloc(32), isPayloadMac: () => false };
  /** Each is whole, and would be taken if nothing asked for its MAC: without one, by another key, and by a made-up one. */
  async function withoutProof(n: number, value: unknown): Promise<Payload> {
    const macs = [null, strangers, zeros][n % 3] ?? null;
    if (macs === null) return made(value);
    const [codec] = dataConverterOf(null, macs).payloadCodecs ?? [];
    const context = {
      type: 'workflow',
      namespace: core.temporal.target.namespace,
      workflowId: task.workflowId,
    } as const;
    const [payload] = (await codec?.encode([made(value)], context)) ?? [];
    return payload ?? made(value);
  }
  const around = (name: string, id: string, command: object): object => ({
    workflowId: task.workflowId,
    name,
    id,
    signedAt: decision.at,
    command,
  });
  /** Whole commands in another's name, by their updates. */
  const commandOf = (n: number): [name: string, command: object] => {
    const named = { principal: { id: 'fin', roles: ['finance'], isSuper: true }, receivedAt: decision.at };
    const entry = answer(hold, { colour: 'green' });
    const commands: [string, object][] = [
      ['decide', { entry, ...named, source: 'page' }],
      ['run', { kind: 'resume', runId: `forged-${n}`, fingerprint: 'f', entries: [entry], ...named }],
      ['amend', { hold: hold.holdId, kind: 'reassign', to: ['user:mallory'], note: null, ...named }],
      ['message', { text: 'Go on', messageId: randomUUID(), ...named }],
    ];
    return commands[n % commands.length] ?? ['', {}];
  };
  const codeOf = (error: unknown): unknown =>
    error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure ? error.cause.type : error;

  // Promise Y76
  test('a writer of Temporal’s namespace, in bulk, has no command in another’s name taken as an update', async () => {
    const codes = await inTurns(updatesAtOnce, async (n) => {
      const updateId = `forged-${n}`;
      const [name, command] = commandOf(n);
      const client = sending([await withoutProof(Math.floor(n / 4), around(name, updateId, command))]);
      const update = client.workflow
        .getHandle(task.workflowId)
        .executeUpdate<unknown, [null]>(name, { args: [null], updateId });
      return update.then(() => 'taken', codeOf);
    });
    expect(codes).toEqual(codes.map(() => 'forbidden'));
    await expectAsBefore();
  });

  // Promise Y76
  test('a writer of Temporal’s namespace, in bulk, has no copy of a signed command taken, neither of this workflow nor of another', async () => {
    const codes = await inTurns(updatesAtOnce, (n) => {
      const [from, copied] = n % 2 === 0 ? [task, signed.own] : [other, signed.others];
      // Under the same id an update of this workflow is the one before, and runs no more.
      const updateId = from === task ? `copied-${n}` : copied.updateId;
      const update = sending([copied.payload])
        .workflow.getHandle(task.workflowId)
        .executeUpdate<unknown, [null]>('message', { args: [null], updateId });
      return update.then(() => 'taken', codeOf);
    });
    expect(codes).toEqual(codes.map(() => 'forbidden'));
    await expectAsBefore();
  });

  // Promise Y76
  test('a writer of Temporal’s namespace, in bulk, has no signal taken: nothing ends, is answered or is withdrawn, and no one else is named as who cancels', async () => {
    const { taskId, firstExecutionRunId, workflowId } = task;
    const signals: [string, object][] = [
      ['cancelBy', around('cancelBy', taskId, { taskId, by: 'fin' })],
      ['over', around('over', taskId, { taskId, status: 'DONE' })],
      ['agentMoved', { kind: 'pause', watchVersion: hold.n, firstExecutionRunId }],
      ['formResponse', { interruptId: hold.interruptId, values: { colour: 'green' } }],
      ['turnDelivered', { turn: 1, firstExecutionRunId, isDelivered: true }],
    ];
    await inTurns(atOnce, async (n) => {
      const [name, value] = signals[n % signals.length] ?? ['', {}];
      const client = sending([await withoutProof(Math.floor(n / signals.length), value)]);
      return client.workflow.getHandle(workflowId).signal(name, null);
    });
    // Its state is read after them.
    const stateOf = (): Promise<unknown> => task.handle.query('task');
    expect(await waitFor(stateOf, 60_000, 'its state')).toMatchObject({ phase: 'holding', status: 'NEEDS_REVIEW' });
    await expectAsBefore();
    await task.handle.cancel();
    expect((await task.status('CANCELED')).error?.message ?? '').not.toContain('fin');
    expect((await task.settled(hold.holdId)).ended).toMatchObject({ by: 'operator' });
  });
});
