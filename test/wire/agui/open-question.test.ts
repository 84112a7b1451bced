// What front ends see of a question while it is open: votes, answers that wait for others, and questions taken back.
import { describe, expect, test } from '@jest/globals';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { pauseEvents, talkFailedEvents, withdrawnEvents } from '../../../src/wire/agui/project/pause.ts';
import { expectShown } from './real-client.ts';
import {
  aDecision,
  aHold,
  aPause,
  aToolHold,
  ctx,
  nextLog,
  startLog,
  typesOf,
  valueAtPath,
  withEvents,
  type Log,
} from './scene.ts';

const holds = [aHold({ n: 1 }), aHold({ n: 2 })];
const [one = aHold(), two = aHold({ n: 2 })] = holds;
const paused = (asked: Hold[] = holds): Log => {
  const log = startLog();
  return withEvents(log, pauseEvents(log.p, aPause({ holds: asked }), ctx));
};
const ownRun = (before: Log): Log => nextLog(before, { runId: 'standfast-1', clientMessages: null });
const contentOf = (messages: JsonObject[], id: string): unknown =>
  messages.find((message) => message['id'] === id)?.['content'];

test('votes are on the card and in the interrupt: how many agree, and how many must', async () => {
  const plan = { ...one.plan, quorum: 3 };
  const vote = {
    by: 'ana',
    at: ctx.now,
    values: { days: 3 },
    reason: null,
    fingerprint: 'p',
    source: 'rest' as const,
    seenDigest: null,
    credential: null,
    actor: null,
  };
  const voted = aHold({
    n: 1,
    plan,
    votes: [vote, { ...vote, by: 'ben' }, { ...vote, by: 'eve', values: { days: 9 }, fingerprint: 'q' }],
  });
  const run = ownRun(paused([one]));
  const whole = withEvents(run, pauseEvents(run.p, aPause({ explanation: null, holds: [voted] }), ctx));
  const shown = await expectShown(whole.events);
  expect(contentOf(shown.messages, one.interruptId)).toMatchObject({ votes: { have: 2, need: 3 } });
  expect(shown.pending).toMatchObject([{ metadata: { standfast: { votes: { have: 2, need: 3 } } } }]);
});

test('an answer that waits for the other questions of its pause is working, and no longer open', async () => {
  const staged = aHold({ n: 1, status: 'decided', decision: aDecision({ values: { days: 3 } }) });
  const run = ownRun(paused());
  const pause = aPause({ explanation: null, holds: [two], staged: [staged] });
  const shown = await expectShown(withEvents(run, pauseEvents(run.p, pause, ctx)).events);
  expect(contentOf(shown.messages, one.interruptId)).toMatchObject({
    stage: 'working',
    decision: 'answered',
    values: { days: 3 },
  });
  expect(contentOf(shown.messages, two.interruptId)).toMatchObject({ stage: 'awaiting_input' });
  expect(shown.pending.map(({ id }) => id)).toEqual([two.interruptId]);
});

describe('a question that the agent waits for no longer', () => {
  test('a question that the agent waits for no longer ends its card as withdrawn and leaves the open list, and the run goes on', async () => {
    const run = ownRun(paused());
    const events = withdrawnEvents(run.p, [one.interruptId, two.interruptId], 'IN_PROGRESS', ctx);
    expect(typesOf(events)).toEqual(['ACTIVITY_DELTA', 'ACTIVITY_DELTA', 'STATE_DELTA']);
    const { p } = withEvents(run, events);
    expect(p.ended).toBe('open');
    expect(valueAtPath(p.state, 'view', 'pendingInterrupts')).toEqual({});
    expect(valueAtPath(p.state, 'view', 'tasks', 'task-1')).toMatchObject({ status: 'IN_PROGRESS' });
    expect(contentOf(p.messages, one.interruptId)).toMatchObject({ stage: 'withdrawn', nextStep: null });
  });

  test('a question that the agent waits for no longer gives a tool call that waited for it a result: it was not executed', () => {
    const hold = aToolHold();
    const run = ownRun(paused([hold]));
    const events = withdrawnEvents(run.p, [hold.interruptId], 'IN_PROGRESS', ctx);
    const [result] = events.filter(({ type }) => type === 'TOOL_CALL_RESULT');
    expect(JSON.parse(String(result?.['content']))).toMatchObject({ executed: false, status: 'withdrawn' });
  });
});

test('a message that did not reach the agent is reported, and the question is open as it was', async () => {
  const run = ownRun(paused([one]));
  const projected = withEvents(run, talkFailedEvents(run.p, { holds: [one], why: 'the agent is away' }, ctx));
  const whole = withEvents(projected, pauseEvents(projected.p, aPause({ explanation: null, holds: [one] }), ctx));
  expect(whole.events).toContainEqual({
    type: 'CUSTOM',
    name: 'standfast.talk_failed',
    value: { interruptIds: [one.interruptId], why: 'the agent is away' },
  });
  expect((await expectShown(whole.events)).pending).toMatchObject([{ id: one.interruptId }]);
});
