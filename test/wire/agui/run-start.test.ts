import { describe, expect, test } from '@jest/globals';
import type { Card } from '../../../src/wire/agui/cards/cards.ts';
import { cardContent } from '../../../src/wire/agui/cards/cards.ts';
import { keptMessages } from '../../../src/wire/agui/project/messages.ts';
import { pauseEvents } from '../../../src/wire/agui/project/pause.ts';
import { runStartEvents } from '../../../src/wire/agui/project/project.ts';
import { expectShown } from './real-client.ts';
import { aHold, aPause, aStart, ctx, startLog, typesOf, valueAtPath, withEvents } from './scene.ts';

const names = { taskId: 'task-1', a2aTaskId: 'a2a-1', contextId: 'c-1' };
const aCard = (): Card => ({
  interruptId: 'hitl-a2a-1-1',
  activityType: 'HITL_FORM',
  content: cardContent(aHold(), names),
});

describe('a run begins', () => {
  // Promise CO19, G26
  test('a run begins with our protocol version, the messages other tabs lack, and the state the client sent', () => {
    const events = runStartEvents(aStart({ clientState: { theme: 'dark' }, parentRunId: 'r-0' }), ctx);
    expect(events).toEqual([
      {
        type: 'RUN_STARTED',
        threadId: 't-1',
        runId: 'r-1',
        protocolVersion: '1.0',
        parentRunId: 'r-0',
        input: { threadId: 't-1', runId: 'r-1', messages: [{ id: 'u-1', role: 'user', content: 'Book it' }] },
      },
      { type: 'STATE_SNAPSHOT', snapshot: { theme: 'dark' } },
    ]);
  });

  // Promise CO19
  test("a run begins with the thread's own /view in the client's state, whatever the client says is there", () => {
    const start = aStart({
      clientState: { theme: 'dark', view: { pendingInterrupts: { fake: {} } } },
      threadState: { theme: 'light', view: { tasks: {} } },
    });
    expect(runStartEvents(start, ctx)[1]?.['snapshot']).toEqual({ theme: 'dark', view: { tasks: {} } });
  });

  test('a run begins with the whole state and messages of the thread when Standfast opened it', () => {
    const start = aStart({
      clientMessages: null,
      clientState: undefined,
      threadState: { theme: 'light', view: {} },
      threadMessages: [{ id: 'm-1', role: 'assistant', content: 'Hi' }],
    });
    const [started, snapshot] = runStartEvents(start, ctx);
    expect(valueAtPath(started ?? {}, 'input', 'messages')).toEqual([{ id: 'm-1', role: 'assistant', content: 'Hi' }]);
    expect(snapshot?.['snapshot']).toEqual({ theme: 'light', view: {} });
  });

  test("a run begins with the agent's words as the thread has them, the person's as the client has them", () => {
    const start = aStart({
      threadMessages: [
        { id: 'u-0', role: 'user', content: 'Helo' },
        { id: 'm-0', role: 'assistant', content: 'Approved: no' },
      ],
      clientMessages: [
        { id: 'u-0', role: 'user', content: 'Hello' },
        { id: 'm-0', role: 'assistant', content: 'Approved: yes' },
        { id: 'u-1', role: 'user', content: 'Book it' },
      ],
    });
    expect(valueAtPath(runStartEvents(start, ctx)[0] ?? {}, 'input', 'messages')).toMatchObject([
      { content: 'Hello' },
      { content: 'Approved: no' },
      { content: 'Book it' },
    ]);
  });

  // Promise G32
  test('a run begins with each card at its place among the messages, as the card is now, and the new words after it', () => {
    const paused = withEvents(startLog(), pauseEvents(startLog().p, aPause(), ctx));
    const card: Card = { ...aCard(), content: { ...aCard().content, stage: 'completed' } };
    const kept = keptMessages(paused.p);
    // What a card says is kept with its hold alone.
    expect(JSON.stringify(kept)).not.toContain('awaiting_input');
    const message = { id: 'u-2', role: 'user', content: 'And back' };
    const next = startLog({ threadMessages: kept, cards: [card], clientMessages: [message] });
    expect(next.p.messages.map(({ id }) => id)).toEqual(['u-1', 'm-ask', 'hitl-a2a-1-1', 'u-2']);
    expect(next.p.messages[2]).toMatchObject({ role: 'activity', content: { stage: 'completed' } });
  });

  test('a run begins without the place of a card that is gone', () => {
    const paused = withEvents(startLog(), pauseEvents(startLog().p, aPause(), ctx));
    const next = startLog({ threadMessages: keptMessages(paused.p), cards: [] });
    expect(next.p.messages.map(({ id }) => id)).toEqual(['u-1', 'm-ask']);
  });

  // Promise CO7
  test('a run begins by moving the card of an answered hold to working, with the decision and its values', async () => {
    const decision = {
      by: 'ana',
      at: ctx.now,
      status: 'resolved' as const,
      values: { days: 3 },
      reason: null,
      source: 'resume' as const,
      seenDigest: null,
      credential: null,
      actor: null,
      digest: 'sha256:00',
    };
    const threadState = { view: { pendingInterrupts: { 'hitl-a2a-1-1': { taskId: 'task-1' } }, tasks: {} } };
    const start = aStart({
      threadState,
      cards: [aCard()],
      answered: [aHold({ status: 'decided', decision })],
      skipped: [{ interruptId: 'hitl-a2a-1-0', code: 'hold_closed' }],
      task: { a2aTaskId: 'a2a-1', contextId: 'c-1', status: 'USER_INPUT_RECEIVED' },
    });
    const events = runStartEvents(start, ctx);
    expect(typesOf(events)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'ACTIVITY_SNAPSHOT',
      'ACTIVITY_DELTA',
      'STATE_DELTA',
      'CUSTOM',
    ]);
    const end = { type: 'RUN_ERROR', message: 'cut here' };
    const shown = await expectShown([...events, end]);
    expect(shown.messages.at(-1)).toMatchObject({
      content: { stage: 'working', decision: 'answered', values: { days: 3 }, nextStep: null },
    });
    expect(valueAtPath(shown.state, 'view', 'pendingInterrupts')).toEqual({});
    expect(valueAtPath(shown.state, 'view', 'tasks', 'task-1', 'status')).toBe('USER_INPUT_RECEIVED');
    expect(events.at(-1)).toEqual({
      type: 'CUSTOM',
      name: 'standfast.entry_skipped',
      value: { interruptId: 'hitl-a2a-1-0', code: 'hold_closed' },
    });
  });
});
