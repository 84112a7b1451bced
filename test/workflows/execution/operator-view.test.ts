import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineSearchAttributeKey } from '@temporalio/common';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { HistoryEvent, TaskCase } from '../../rigs/engine/task-case.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;

/** Roles in an alphabet of three bytes a letter: few characters, many bytes. */
const crowd = Array.from({ length: 50 }, (_, index) => `role:${index}${'部'.repeat(90)}`);

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { climbing: { policy: 'climbing' }, crowded: { policy: 'crowded' } },
    policies: {
      climbing: {
        audience: ['role:finance', 'role:board'],
        ladder: [{ after: '1h', escalate: ['role:finance-lead'] }],
        expire: { after: '24h', then: 'fail' },
      },
      crowded: { audience: crowd, ladder: [{ after: '500ms', escalate: crowd.map((entry) => `${entry}x`) }] },
    },
  });
});
afterAll(() => core?.stop());

const keys = {
  agent: defineSearchAttributeKey('StandfastAgent', 'KEYWORD'),
  a2aTaskId: defineSearchAttributeKey('StandfastA2ATaskId', 'KEYWORD'),
  contextId: defineSearchAttributeKey('StandfastContextId', 'KEYWORD'),
  status: defineSearchAttributeKey('StandfastStatus', 'KEYWORD'),
  openHolds: defineSearchAttributeKey('StandfastOpenHolds', 'INT'),
  question: defineSearchAttributeKey('StandfastQuestion', 'INT'),
  deadline: defineSearchAttributeKey('StandfastDeadline', 'DATETIME'),
  audience: defineSearchAttributeKey('StandfastAudience', 'KEYWORD_LIST'),
};

async function attributesOf(task: TaskCase): Promise<Record<keyof typeof keys, unknown>> {
  const { typedSearchAttributes: shown } = await task.handle.describe();
  const { agent, a2aTaskId, contextId, status, openHolds, question, deadline, audience } = keys;
  return {
    agent: shown.get(agent),
    a2aTaskId: shown.get(a2aTaskId),
    contextId: shown.get(contextId),
    status: shown.get(status),
    openHolds: shown.get(openHolds),
    question: shown.get(question),
    deadline: shown.get(deadline)?.toISOString(),
    audience: shown.get(audience),
  };
}

/** The summary that Temporal UI shows with an event. */
function summaryOf(event: HistoryEvent | undefined): string {
  const metadata = event?.['userMetadata'] as { summary?: { data?: string } } | undefined;
  const data = metadata?.summary?.data;
  return data === undefined ? '' : String(JSON.parse(Buffer.from(data, 'base64').toString('utf8')));
}

describe('an operator sees in Temporal', () => {
  test.concurrent('search attributes of the task and of what is asked', async () => {
    const task = await core.engine.open('form => gate attributes; complete', { agent: 'climbing' });
    const hold = await task.asked();
    const { a2aTaskId, contextId } = await task.row();
    const isShown = (openHolds: number) => async (): Promise<boolean> =>
      (await attributesOf(task)).openHolds === openHolds;
    await waitFor(isShown(1), 10_000, 'the question to be shown');
    expect(await attributesOf(task)).toEqual({
      agent: 'climbing',
      a2aTaskId,
      contextId,
      status: 'NEEDS_REVIEW',
      openHolds: 1,
      question: 1,
      deadline: hold.expiresAt,
      audience: ['role:finance', 'role:board'],
    });
    await task.decide(answer(hold, { colour: 'green' }));
    // An answer whose turn is soon over is not shown for long.
    await waitFor(isShown(0), 10_000, 'the answer to be shown');
    expect(await attributesOf(task)).toMatchObject({
      openHolds: 0,
      question: undefined,
      deadline: undefined,
      audience: undefined,
    });
    const isWorking = async (): Promise<boolean> => (await attributesOf(task)).status === 'IN_PROGRESS';
    await waitFor(isWorking, 10_000, 'IN_PROGRESS while the agent works');
    await core.agent.openGate('attributes');
    expect(await task.closed()).toBe('COMPLETED');
    // The execution's own status shows the end.
    expect(await attributesOf(task)).toMatchObject({ status: 'IN_PROGRESS', openHolds: 0 });
  });

  // Promise PR5
  test.concurrent('the question, who is asked, the next step and a link, in the current details', async () => {
    const task = await core.engine.open('form => complete', { agent: 'climbing' });
    const hold = await task.asked();
    // The row is written before the workflow has the turn's result.
    const isShown = async (): Promise<string | false> => {
      const shown = await task.details();
      return shown.includes('**Waiting for people**') && shown;
    };
    const details = await waitFor(isShown, 10_000, 'the question to be shown');
    for (const text of [
      '### A question',
      'Please choose.',
      '- asked: role:finance, role:board',
      `- next step: escalate to role:finance-lead at ${hold.nextStep?.at}`,
      `http://127.0.0.1:8600/holds/${hold.holdId}`,
      `"interruptId":"${hold.interruptId}"`,
    ]) {
      expect(details).toContain(text);
    }
  });

  test.concurrent('the same details, where Temporal’s pages ask for a call stack', async () => {
    const task = await core.engine.open('form => complete', { agent: 'climbing' });
    await task.asked();
    await waitFor(
      async () => (await task.details()).includes('**Waiting for people**'),
      10_000,
      'the question to be shown',
    );
    const stack = await task.handle.query<string>('__stack_trace');
    expect(stack).toBe(await task.details());
    expect(stack).toContain('### A question');
  });

  // Promise PR5
  test.concurrent('what every timer and activity is for', async () => {
    const task = await core.engine.open('form => complete', { agent: 'climbing' });
    await task.asked();
    const isTimer = (event: HistoryEvent): boolean => event.eventType === 'EVENT_TYPE_TIMER_STARTED';
    const history = await waitFor(
      async () => {
        const events = await task.history();
        return events.some(isTimer) && events;
      },
      10_000,
      'the timer of the next step',
    );
    expect(summaryOf(history.find(isTimer))).toBe('escalate to role:finance-lead: A question');
    const turn = history.find(({ eventType }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
    expect(summaryOf(turn)).toBe('turn 1: send the message to climbing');
    expect(summaryOf(history[0])).toBe('climbing · form => complete');
  });

  // Promise Q60
  test.concurrent('what each handler is for, and how a question is answered by hand', async () => {
    const task = await core.engine.open('form => complete', { agent: 'climbing' });
    await task.asked();
    interface Handlers {
      [kind: string]: { name: string; description?: string }[];
    }
    const { definition } = await task.handle.query<{ definition: Handlers }>('__temporal_workflow_metadata');
    const handlers = Object.values(definition).flatMap((list) => (Array.isArray(list) ? list : []));
    expect(handlers.filter(({ description = '' }) => description === '')).toEqual([]);
    const byHand = handlers.find(({ name }) => name === 'formResponse');
    expect(byHand?.description).toContain('{"interruptId": "…", "values": {…}}');
  });

  test.concurrent('the whole task by the query `task`', async () => {
    const task = await core.engine.open('form => complete', { agent: 'climbing' });
    const hold = await task.asked();
    const { a2aTaskId, contextId } = await task.row();
    const whole = {
      taskId: task.taskId,
      agent: 'climbing',
      a2aTaskId,
      contextId,
      status: 'NEEDS_REVIEW',
      phase: 'holding',
      turn: 1,
      holds: [{ holdId: hold.holdId, status: 'open', question: { title: 'A question' } }],
      past: [],
      error: null,
    };
    await eventually(async () => expect(await task.handle.query('task')).toMatchObject(whole));
  });
});

describe('values larger than the server takes', () => {
  test.concurrent('values larger than the server takes are cut, and the task can be answered', async () => {
    const title = '🙂'.repeat(190);
    const script = { turns: [[{ do: 'form', title, description: '部'.repeat(4000) }], [{ do: 'complete' }]] };
    const task = await core.engine.open(JSON.stringify(script), {
      agent: 'crowded',
      threadId: `long-${'t'.repeat(120)}`,
    });
    const hold = await task.hold();
    await task.runEnded(`standfast-${task.taskId}-step-1-1`);
    const shown = await attributesOf(task);
    expect(shown).toMatchObject({ status: 'NEEDS_REVIEW', openHolds: 1 });
    const list = JSON.stringify(shown.audience);
    expect(Buffer.byteLength(list)).toBeGreaterThan(500);
    expect(Buffer.byteLength(list)).toBeLessThan(2048);
    const summaries = (await task.history()).map((event) => Buffer.byteLength(JSON.stringify(summaryOf(event))));
    expect(Math.max(...summaries)).toBeLessThan(400);
    expect(await task.decide(answer(hold, { colour: 'green' }))).toMatchObject({ kind: 'answer' });
    await task.status('DONE');
    expect(await task.closed()).toBe('COMPLETED');
  });
});

test('the stack of a promise has few frames: each promise of each replay pays for all of them', async () => {
  const parked = await core.engine.open('form => complete');
  await parked.asked();
  const { stacks } = await parked.handle.query<{ stacks: { locations: object[] }[] }>('__enhanced_stack_trace');
  expect(stacks.length).toBeGreaterThan(0);
  expect(Math.max(...stacks.map(({ locations }) => locations.length))).toBeLessThanOrEqual(3);
});
