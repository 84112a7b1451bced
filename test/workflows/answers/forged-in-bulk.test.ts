// What a writer of Temporal's namespace makes up, in bulk, on a real server: nothing of it is recorded, and no receipt is made.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { shortQueue, taskQueue, taskWorkflowType } from '../../../src/workflows/messages.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { startCore, type Core } from '../../rigs/engine/engine.ts';
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

  beforeAll(async () => {
    const policies = { four: { audience: ['role:finance'], exclude: ['requester'], receipt: true } };
    core = await startCore(supervisor, { agents: { four: { policy: 'four' } }, policies });
    connection = await Connection.connect(core.temporal.target.connection);
    task = await core.engine.open('form => complete', { agent: 'four' });
    hold = await task.asked();
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
  test('a writer of Temporal’s namespace, in bulk, has no signal or update of theirs taken', async () => {
    const handleWith = (n: number): WorkflowHandle => sending([forged(n)]).workflow.getHandle(task.workflowId);
    const updates = ['decide', 'run', 'amend', 'message'];
    await inTurns(updatesAtOnce, (n) =>
      expect(
        handleWith(n).executeUpdate<unknown, [null]>(updates[n % updates.length] ?? '', { args: [null] }),
      ).rejects.toThrow(),
    );
    const signals = ['cancelBy', 'over', 'turnDelivered', 'agentMoved', 'formResponse'];
    await inTurns(atOnce, (n) => handleWith(n).signal(signals[n % signals.length] ?? '', null));
    // Its state is read after them.
    await waitFor(() => core.engine.client.workflow.getHandle(task.workflowId).query('task'), 60_000, 'its state');
    await expectAsBefore();
  });

  // Promise Y76
  test('a writer of Temporal’s namespace, in bulk, has no activity act by a workflow on a queue of their own', async () => {
    for (let from = 0; from < each; from += atOnce) await expectRefused(from);
    await expectAsBefore();
  });
});
