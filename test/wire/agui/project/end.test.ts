import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { cardContent } from '../../../../src/wire/agui/cards/cards.ts';
import { endEvents, type TaskEnd } from '../../../../src/wire/agui/project/end.ts';
import { expectShown } from '../real-client.ts';
import { afterTurn, aHold, ctx, says, startLog, status, typesOf, valueAtPath, type Log } from '../scene.ts';

const names = { taskId: 'task-1', a2aTaskId: 'a2a-1', contextId: 'c-1' };
const card = { interruptId: 'hitl-a2a-1-1', activityType: 'HITL_FORM', content: cardContent(aHold(), names) };
const pending = { interruptId: card.interruptId, taskId: 'task-1' };
const threadState: JsonObject = { view: { pendingInterrupts: { [card.interruptId]: pending }, tasks: {} } };
const task = { a2aTaskId: 'a2a-1', contextId: 'c-1', status: 'IN_PROGRESS' as const };

const waiting = (): Log => startLog({ cards: [card], threadState, task });
const answered = (how: 'resolved' | 'cancelled' = 'resolved'): Log => {
  const decision = {
    by: 'ana',
    at: ctx.now,
    status: how,
    values: {},
    reason: null,
    source: 'resume' as const,
    seenDigest: null,
    credential: null,
    actor: null,
    digest: 'sha256:00',
  };
  return startLog({ cards: [card], threadState, task, answered: [aHold({ decision })] });
};

describe('the end of a run with its task', () => {
  test('completed: texts closed, cards completed, everything restated, success', async () => {
    const log = afterTurn(answered(), status('completed', says('m-9', 'Booked')));
    const events = endEvents(log.p, { kind: 'completed', message: 'Booked' }, ctx);
    expect(typesOf(events)).toEqual([
      'ACTIVITY_DELTA',
      'STATE_DELTA',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    expect(events.at(-1)).toMatchObject({ outcome: { type: 'success' }, result: { status: 'DONE' } });
    const shown = await expectShown([...log.events, ...events]);
    expect(shown.pending).toEqual([]);
    expect(valueAtPath(shown.state, 'view', 'tasks', 'task-1')).toMatchObject({ status: 'DONE', summary: 'Booked' });
  });

  test('the end of a run with its task says that the agent ended without an answer where it has shown nothing since the person spoke', async () => {
    const log = startLog();
    const events = endEvents(log.p, { kind: 'completed', message: '' }, ctx);
    const shown = await expectShown([...log.events, ...events]);
    expect(shown.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'The agent ended without an answer.' });
    const spoken = afterTurn(startLog(), status('completed', says('m-9', 'Booked')));
    expect(typesOf(endEvents(spoken.p, { kind: 'completed', message: 'Booked' }, ctx))).not.toContain(
      'TEXT_MESSAGE_START',
    );
  });

  // Promise B34, CO7
  test.each<{ end: TaskEnd; log: () => Log; stage: string; kind: JsonObject }>([
    {
      end: { kind: 'completed', message: '' },
      log: answered,
      stage: 'completed',
      kind: { type: 'RUN_FINISHED', outcome: { type: 'success' } },
    },
    {
      end: { kind: 'canceled', message: 'stopped' },
      log: () => answered('cancelled'),
      stage: 'cancelled',
      kind: { type: 'RUN_FINISHED', outcome: { type: 'cancelled' }, result: { status: 'CANCELED' } },
    },
    {
      end: { kind: 'failed', code: 'hold_expired', message: 'Nobody answered' },
      log: waiting,
      stage: 'expired',
      kind: { type: 'RUN_ERROR', code: 'hold_expired', message: 'Nobody answered' },
    },
    {
      end: { kind: 'failed', code: 'agent_unreachable', message: '' },
      log: answered,
      stage: 'withdrawn',
      kind: { type: 'RUN_ERROR', code: 'agent_unreachable', message: 'agent_unreachable' },
    },
    {
      end: { kind: 'failed', code: 'agent_failed', message: 'It broke' },
      log: answered,
      stage: 'completed',
      kind: { type: 'RUN_ERROR', code: 'agent_failed' },
    },
    {
      end: { kind: 'failed', code: 'agent_failed', message: 'It broke' },
      log: waiting,
      stage: 'withdrawn',
      kind: { type: 'RUN_ERROR', code: 'agent_failed' },
    },
  ])('the end of a run with its task, $end, leaves the card $stage', async ({ end, log, stage, kind: as }) => {
    const start = log();
    const events = endEvents(start.p, end, ctx);
    expect(events.at(-1)).toMatchObject(as);
    const shown = await expectShown([...start.events, ...events]);
    const shownCard = shown.messages.find((message) => message['role'] === 'activity');
    expect(shownCard).toMatchObject({ content: { stage, nextStep: null } });
    expect(valueAtPath(shown.state, 'view', 'pendingInterrupts')).toEqual({});
  });

  test('the end of a run with its task leaves the cards of the thread’s other tasks alone', () => {
    const other = { ...card, content: { ...card.content, taskId: 'task-0' } };
    const log = startLog({ cards: [other], task });
    expect(typesOf(endEvents(log.p, { kind: 'completed', message: '' }, ctx))).not.toContain('ACTIVITY_DELTA');
  });

  // Promise CO10
  test('the end of a run with its task comes once only', () => {
    const log = waiting();
    const ended = { ...log.p, ended: 'success' as const };
    expect(endEvents(ended, { kind: 'completed', message: '' }, ctx)).toEqual([]);
  });
});
