// Some questions of a pause are decided in the inbox, the rest by resume. The rules are the real ones; only Temporal is not.
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { MessageRun, RunCommand } from '../../../src/contract/tasks/run.ts';
import { newTask, reduce } from '../../../src/core/task/task.ts';
import type { Reply, TaskEvent, TaskState } from '../../../src/core/task/task-state.ts';
import type { HoldRow, TaskRow } from '../../../src/store/store.ts';
import { emptyProjection, reduceEvents } from '../../../src/wire/agui/model/projection.ts';
import { runStartEvents } from '../../../src/wire/agui/project/project.ts';
import { aHold, aTask, eventsOf, finished, freshThread, lastOf, runBody } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { endRun } from '../../rigs/store/store-writes.ts';
import { aSuper } from '../../rigs/factories.ts';

const rig = describeApi();

const principal = aSuper;

/** The task's own reducer behind the client, and a worker that begins the run which carries the answers. */
function holding(task: TaskRow, holds: HoldRow[]): { sources: RunCommand[] } {
  const { agent, threadId, taskId, owner } = task;
  const opening: MessageRun = {
    runId: 'r1',
    fingerprint: 'p',
    principal,
    receivedAt: new Date().toISOString(),
    kind: 'message',
    seen: null,
  };
  const start = {
    version: 1 as const,
    taskId,
    agent,
    threadId,
    owner,
    opening,
    contextId: null,
    publicUrl: 'http://x',
    limits: { silenceMs: null, totalMs: null },
    restartOf: null,
  };
  let state: TaskState = {
    ...newTask(start),
    phase: 'holding',
    status: 'NEEDS_REVIEW',
    turn: 1,
    n: holds.length,
    holds,
  };
  const take = (fact: TaskEvent): Reply => {
    const outcome = reduce(state, fact, new Date().toISOString());
    state = outcome.state;
    return outcome.reply;
  };
  const commands: RunCommand[] = [];
  rig.tasks.decide = async (_task, source) => {
    const reply = take({ type: 'decide', command: source });
    if (reply.ok === false) return { kind: 'refusal', refusal: reply };
    if (reply.ok === true && 'decide' in reply) return { kind: 'answer', value: reply.decide };
    throw new Error('the decision got no answer');
  };
  rig.tasks.resume = async (_task, source) => {
    commands.push(source);
    const reply = take({ type: 'run', command: source });
    if (reply.ok === false) return { kind: 'refusal', refusal: reply };
    if (reply.ok !== true || !('run' in reply)) throw new Error('the run got no answer');
    await carry(task, source, state, reply.run.skipped);
    return { kind: 'answer', value: reply.run };
  };
  return { sources: commands };
}

async function carry(
  task: TaskRow,
  source: RunCommand,
  state: TaskState,
  skipped: { interruptId: string; code: string }[],
): Promise<void> {
  const { agent, threadId, taskId } = task;
  const key = { agent, threadId, runId: source.runId };
  const answered = state.send.kind === 'answers' ? state.send.answers : [];
  for (const { closed } of answered) {
    await rig.store.holds.close(closed.holdId, closed);
    await rig.store.holds.setCarrier(closed.holdId, source.runId);
  }
  const named = answered.map(({ interruptId }) => interruptId);
  const claimed = await rig.store.runs.claim(key, {
    taskId,
    fence: 1,
    opener: 'client',
    fingerprint: source.fingerprint,
  });
  if (claimed.result !== 'claimed') throw new Error(claimed.result);
  const begun = runStartEvents(
    {
      threadId,
      runId: source.runId,
      clientState: {},
      threadState: null,
      threadMessages: [],
      clientMessages: [],
      cards: [],
      answered: await rig.store.holds.byInterrupt(agent, threadId, named),
      skipped,
      task: { a2aTaskId: task.a2aTaskId, contextId: null, status: 'IN_PROGRESS' },
    },
    { taskId, agent, now: new Date().toISOString() },
  );
  reduceEvents(emptyProjection(threadId, source.runId), begun);
  await rig.store.log.append(claimed.run.logId, 1, [...begun, finished(key)]);
  await rig.store.tasks.update(taskId, { status: 'DONE' });
  await endRun(rig.store, claimed.run.logId, 1, 'success');
}

async function asked(count: number) {
  const threadId = freshThread();
  const task = await aTask(rig.store, threadId);
  const holds: HoldRow[] = [];
  for (let n = 1; n <= count; n += 1) holds.push(await aHold(rig.store, task, { n }));
  return { threadId, task, holds, ...holding(task, holds) };
}

const inInbox = (hold: HoldRow | undefined, body: JsonObject) =>
  rig.app.inject({ method: 'POST', url: `/api/holds/${hold?.holdId ?? ''}/decision`, payload: body });
const resume = (threadId: string, runId: string, entries: JsonObject[]) =>
  rig.app.inject({
    method: 'POST',
    url: '/agents/expenses/run',
    payload: runBody(threadId, runId, { messages: [], resume: entries }),
  });
const entry = (hold: HoldRow | undefined, city: string): JsonObject => ({
  interruptId: hold?.interruptId ?? '',
  status: 'resolved',
  payload: { city },
});

describe('questions of one pause, some decided in the inbox', () => {
  // Promise G14
  test('questions of one pause, some decided in the inbox, are carried together when a resume answers the rest', async () => {
    const { threadId, holds, sources: commands } = await asked(3);
    const [first, second, third] = holds;
    const decided = await inInbox(second, { status: 'resolved', values: { city: 'Rome' } });
    expect(decided.json()).toMatchObject({ hold: { status: 'decided' }, task: { status: 'NEEDS_REVIEW' } });
    const response = await resume(threadId, 'r2', [entry(first, 'Oslo'), entry(third, 'Bonn')]);
    expect(lastOf(response.body)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(eventsOf(response.body).filter((event) => event.type === 'CUSTOM')).toEqual([]);
    expect(commands).toHaveLength(1);
    const rows = await rig.store.holds.ofThread('expenses', threadId);
    expect(rows.map((row) => row.decision?.values)).toEqual([{ city: 'Oslo' }, { city: 'Rome' }, { city: 'Bonn' }]);
  });

  test('questions of one pause, some decided in the inbox, are left out of a resume that answers them otherwise, and the client learns which', async () => {
    const { threadId, holds } = await asked(2);
    const [first, second] = holds;
    await inInbox(first, { status: 'resolved', values: { city: 'Rome' } });
    const response = await resume(threadId, 'r2', [entry(first, 'Oslo'), entry(second, 'Bonn')]);
    const custom = eventsOf(response.body).filter((event) => event.type === 'CUSTOM');
    expect(custom).toMatchObject([
      { name: 'standfast.entry_skipped', value: { interruptId: first?.interruptId, code: 'hold_closed' } },
    ]);
    const rows = await rig.store.holds.ofThread('expenses', threadId);
    expect(rows.map((row) => row.decision?.values)).toEqual([{ city: 'Rome' }, { city: 'Bonn' }]);
  });

  test('questions of one pause, some decided in the inbox, are no mistake in a resume that answers them alike', async () => {
    const { threadId, holds } = await asked(2);
    await inInbox(holds[0], { status: 'resolved', values: { city: 'Rome' } });
    const response = await resume(threadId, 'r2', [entry(holds[0], 'Rome'), entry(holds[1], 'Bonn')]);
    expect(lastOf(response.body)).toMatchObject({ outcome: { type: 'success' } });
    expect(eventsOf(response.body).filter((event) => event.type === 'CUSTOM')).toEqual([]);
  });

  test('questions of one pause, some decided in the inbox, do not cover the others: a resume that names only them is hold_closed', async () => {
    const { threadId, holds, sources: commands } = await asked(2);
    await inInbox(holds[0], { status: 'resolved', values: { city: 'Rome' } });
    const { body } = await resume(threadId, 'r2', [entry(holds[0], 'Oslo')]);
    expect(lastOf(body)).toMatchObject({ type: 'RUN_ERROR', code: 'hold_closed' });
    expect(commands).toEqual([]);
  });

  test('a resume that leaves out an open one is interrupts_not_covered', async () => {
    const { threadId, holds } = await asked(3);
    await inInbox(holds[0], { status: 'resolved', values: { city: 'Rome' } });
    const { body } = await resume(threadId, 'r2', [entry(holds[1], 'Oslo')]);
    expect(lastOf(body)).toMatchObject({ type: 'RUN_ERROR', code: 'interrupts_not_covered' });
    expect(body).toContain(holds[2]?.interruptId);
    expect(body).not.toContain(holds[0]?.interruptId);
  });
});
