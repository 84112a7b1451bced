import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { openInterrupts } from '../../../../src/wire/agui/cards/open-holds.ts';
import { pauseEvents, stepEvents } from '../../../../src/wire/agui/project/pause.ts';
import { expectShown } from '../real-client.ts';
import {
  afterTurn,
  aHold,
  anArtifact,
  aPause,
  chunk,
  ctx,
  says,
  startLog,
  status,
  text,
  typesOf,
  valueAtPath,
  withEvents,
  type Log,
} from '../scene.ts';

const paused = (
  log: Log = afterTurn(startLog(), status('input-required', says('m-ask', 'Please confirm the trip.'))),
): Log => withEvents(log, pauseEvents(log.p, aPause(), ctx));

describe('a run that ends in a pause', () => {
  // Promise CO17
  test('a run that ends in a pause tells explanation, card, state, snapshots and interrupt in this order', () => {
    const log = afterTurn(startLog(), status('input-required'));
    const events = pauseEvents(log.p, aPause({ holds: [aHold(), aHold({ n: 2 })] }), ctx);
    expect(typesOf(events)).toEqual([
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'ACTIVITY_SNAPSHOT',
      'ACTIVITY_SNAPSHOT',
      'STATE_DELTA',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
  });

  // Promise CO1, CO6, CO8
  test('a run that ends in a pause leaves the front end with the question, the card and the open interrupt', async () => {
    const shown = await expectShown(paused().events);
    expect(shown.messages).toMatchObject([
      { id: 'u-1', role: 'user' },
      { id: 'm-ask', role: 'assistant', content: 'Please confirm the trip.' },
      { id: 'hitl-a2a-1-1', role: 'activity', activityType: 'HITL_FORM' },
    ]);
    expect(valueAtPath(shown.state, 'view', 'pendingInterrupts', 'hitl-a2a-1-1')).toEqual({
      interruptId: 'hitl-a2a-1-1',
      taskId: 'task-1',
      a2aTaskId: 'a2a-1',
      contextId: 'c-1',
      formId: 'trip-1',
      reason: 'Please confirm the trip.',
      title: 'Trip',
      expiresAt: '2026-11-22T08:00:00.000Z',
    });
    expect(valueAtPath(shown.state, 'view', 'tasks', 'task-1')).toMatchObject({
      a2aTaskId: 'a2a-1',
      status: 'NEEDS_REVIEW',
      lastRunId: 'r-1',
      lastInterruptId: 'hitl-a2a-1-1',
    });
    expect(shown.pending).toEqual([
      {
        id: 'hitl-a2a-1-1',
        reason: 'input_required',
        message: 'Please confirm the trip.',
        responseSchema: { type: 'object', properties: { days: { type: 'integer' } }, title: 'Trip' },
        expiresAt: '2026-11-22T08:00:00.000Z',
        metadata: {
          standfast: {
            holdId: 'hold-1',
            taskId: 'task-1',
            a2aTaskId: 'a2a-1',
            contextId: 'c-1',
            formId: 'trip-1',
            dialect: 'a2a.hitl.form',
            form: { type: 'a2a.hitl.form', formId: 'trip-1' },
            digest: 'sha256:00',
            audience: ['role:finance'],
            mayDecide: true,
            nextStep: { at: '2026-11-21T09:00:00.000Z', do: 'escalate', to: ['role:finance-lead'] },
            votes: { have: 0, need: 1 },
            supersedes: null,
            url: 'http://127.0.0.1:8600/holds/hold-1',
          },
        },
      },
    ]);
  });

  test('a run that ends in a pause names each of several questions by the title of its schema, as they share the message of their pause', async () => {
    const [trip, hotel] = [aHold(), aHold({ n: 2, interruptId: 'hitl-a2a-1-2' })];
    const second = { ...hotel, question: { ...hotel.question, title: 'Hotel' } };
    const log = startLog();
    const shown = await expectShown([...log.events, ...pauseEvents(log.p, aPause({ holds: [trip, second] }), ctx)]);
    expect(shown.pending).toMatchObject([
      { message: 'Please confirm the trip.', responseSchema: { title: 'Trip' } },
      { message: 'Please confirm the trip.', responseSchema: { title: 'Hotel' } },
    ]);
  });

  // Promise CO6
  test('a run that ends in a pause shows a card with every key from the start, null when there is nothing', () => {
    const card = paused().events.find((event) => event.type === 'ACTIVITY_SNAPSHOT');
    expect(card?.['content']).toEqual({
      stage: 'awaiting_input',
      taskId: 'task-1',
      a2aTaskId: 'a2a-1',
      contextId: 'c-1',
      form: { type: 'a2a.hitl.form', formId: 'trip-1' },
      reason: 'Please confirm the trip.',
      decision: null,
      values: null,
      nextStep: { at: '2026-11-21T09:00:00.000Z', do: 'escalate', to: ['role:finance-lead'] },
      votes: { have: 0, need: 1 },
      supersedes: null,
      links: [],
    });
  });

  // Promise G18
  test.each([
    ['form', 'input_required'],
    ['text', 'input_required'],
    ['confirmation', 'confirmation'],
    ['tool_call', 'tool_call'],
    ['authorization', 'standfast:auth_required'],
  ] as const)(
    'a run that ends in a pause says of a question of kind %s that it is interrupted for %s',
    (kind, reason) => {
      const events = pauseEvents(startLog().p, aPause({ holds: [aHold({ kind })] }), ctx);
      expect(events.at(-1)?.['outcome']).toMatchObject({ interrupts: [{ reason }] });
    },
  );

  test('a run that ends in a pause names the links of an authorisation in the interrupt and on the card', async () => {
    const links = [{ url: 'https://id.example/grant', title: 'Authorise at id.example' }];
    const hold = aHold({ kind: 'authorization' });
    const events = pauseEvents(
      startLog().p,
      aPause({ holds: [{ ...hold, question: { ...hold.question, links } }] }),
      ctx,
    );
    const interrupts = events.at(-1)?.['outcome'];
    expect(interrupts).toMatchObject({
      interrupts: [{ reason: 'standfast:auth_required', metadata: { standfast: { links } } }],
    });
    const shown = await expectShown([...startLog().events, ...events]);
    expect(shown.messages.find(({ role }) => role === 'activity')).toMatchObject({ content: { links } });
  });

  test('a run that ends in a pause closes texts that are open before the explanation', async () => {
    const log = afterTurn(startLog(), chunk(anArtifact('a-1', [text('Draft')])));
    const events = pauseEvents(log.p, aPause(), ctx);
    expect(events[0]).toMatchObject({ type: 'TEXT_MESSAGE_END', messageId: 'artifact:a2a-1:a-1' });
    const shown = await expectShown([...log.events, ...events]);
    expect(valueAtPath(shown.state, 'view', 'artifacts', 'a-1')).toBe('Draft');
  });

  test('a run that ends in a pause emits the explanation once when the agent streamed it already, and next to other text of the same id', () => {
    const same = afterTurn(startLog(), status('working', says('m-ask', 'Please confirm the trip.')));
    expect(typesOf(pauseEvents(same.p, aPause(), ctx))).not.toContain('TEXT_MESSAGE_START');
    const other = afterTurn(startLog(), status('working', says('m-ask', 'One moment')));
    expect(pauseEvents(other.p, aPause(), ctx)[1]).toMatchObject({ messageId: 'm-ask:explanation' });
  });

  test('a run that ends in a pause gives a question without text a sentence by Standfast', () => {
    const hold = aHold();
    const mute = { ...hold, question: { ...hold.question, message: '', title: '' } };
    const events = pauseEvents(startLog().p, aPause({ explanation: '', holds: [mute] }), ctx);
    expect(events[1]?.['delta']).toBe('The agent is waiting for an answer.');
  });

  // Promise CO1
  test('a run that ends in a pause leaves out what is absent: expiresAt and message are never null', async () => {
    const hold = aHold({ expiresAt: null });
    const mute = { ...hold, question: { ...hold.question, message: '', title: '' } };
    const log = startLog();
    const events = pauseEvents(log.p, aPause({ holds: [mute] }), ctx);
    const shown = await expectShown([...log.events, ...events]);
    expect(Object.keys(shown.pending[0] ?? {})).toEqual(['id', 'reason', 'responseSchema', 'metadata']);
  });

  // Promise CO2
  test('a run that ends in a pause with an operator hold alone ends RUN_ERROR delivery_unknown and is not an interrupt', () => {
    const log = afterTurn(startLog(), status('working'));
    const events = pauseEvents(
      log.p,
      aPause({ holds: [aHold({ kind: 'operator' })], explanation: 'Was it sent?' }),
      ctx,
    );
    expect(typesOf(events)).toEqual(['STATE_DELTA', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_ERROR']);
    expect(events.at(-1)).toEqual({ type: 'RUN_ERROR', code: 'delivery_unknown', message: 'Was it sent?' });
  });

  // Promise CO10
  test('a pause again, on an ended run, adds nothing', () => {
    expect(pauseEvents(paused().p, aPause(), ctx)).toEqual([]);
  });

  // Promise CO7
  test('a run that ends in a pause completes the cards of the answers that led to it', async () => {
    const first = paused();
    const cards = [{ interruptId: 'hitl-a2a-1-1', activityType: 'HITL_FORM', content: cardOf(first) }];
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
    const second = startLog({
      runId: 'r-2',
      threadState: first.p.state,
      threadMessages: first.p.messages,
      cards,
      answered: [aHold({ decision, status: 'decided' })],
      task: { a2aTaskId: 'a2a-1', contextId: 'c-1', status: 'USER_INPUT_RECEIVED' },
    });
    const asked = pauseEvents(second.p, aPause({ holds: [aHold({ n: 2 })], explanationMessageId: 'm-2' }), ctx);
    const shown = await expectShown([...second.events, ...asked], [{ id: 'u-1', role: 'user', content: 'Book it' }]);
    const stages = shown.messages
      .filter((message) => message['role'] === 'activity')
      .map((message) => [valueAtPath(message, 'content', 'stage'), valueAtPath(message, 'content', 'decision')]);
    expect(stages).toEqual([
      ['completed', 'answered'],
      ['awaiting_input', null],
    ]);
  });
});

function cardOf(log: Log): JsonObject {
  const card = log.p.messages.find((message) => message['role'] === 'activity')?.['content'];
  if (typeof card !== 'object' || card === null || Array.isArray(card)) throw new Error('no card');
  return card;
}

test('a ladder step changes the card and says so, and the question stays open', async () => {
  const first = paused();
  const hold = aHold({ nextStep: null, audience: ['role:finance', 'role:finance-lead'] });
  const cards = [{ interruptId: hold.interruptId, activityType: 'HITL_FORM', content: cardOf(first) }];
  const run = startLog({
    runId: 'standfast-1',
    clientMessages: null,
    threadState: first.p.state,
    threadMessages: first.p.messages,
    cards,
  });
  const step = { at: '2026-11-21T09:00:00.000Z', do: 'escalate', to: ['role:finance-lead'] };
  const stepped = withEvents(run, stepEvents(run.p, hold, step, ctx));
  const whole = withEvents(stepped, pauseEvents(stepped.p, aPause({ explanation: null, holds: [hold] }), ctx));
  expect(typesOf(stepped.events.slice(run.events.length))).toEqual(['ACTIVITY_DELTA', 'CUSTOM']);
  const shown = await expectShown(whole.events);
  expect(shown.pending).toHaveLength(1);
  expect(shown.messages.filter((message) => message['id'] === 'm-ask')).toHaveLength(1);
  expect(valueAtPath(shown.messages.at(-1) ?? {}, 'content', 'nextStep')).toBeNull();
});

test('the open list leaves out closed and operator holds', () => {
  const holds = [
    aHold({ n: 3, kind: 'confirmation' }),
    aHold({ n: 1, status: 'expired' }),
    aHold({ n: 2, kind: 'operator' }),
    aHold({ n: 4, kind: 'authorization' }),
  ];
  const source = { taskId: 'task-1', a2aTaskId: null, contextId: null, publicUrl: 'http://h', mayDecide: () => false };
  expect(openInterrupts(holds, source).map(({ id, reason }) => [id, reason])).toEqual([
    ['hitl-a2a-1-3', 'confirmation'],
    ['hitl-a2a-1-4', 'standfast:auth_required'],
  ]);
});
