import { describe, expect, test } from '@jest/globals';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { expectShown } from '../real-client.ts';
import { afterTurn, aSnapshot, ctx, says, startLog, status, textOf, typesOf, withEvents } from '../scene.ts';

describe('what an agent says', () => {
  test("a working status message is streamed under the agent's own message id", () => {
    const log = startLog();
    const events = turnEvents(log.p, status('working', says('m-1', 'Looking')), ctx);
    expect(events.slice(0, 2)).toEqual([
      { type: 'TEXT_MESSAGE_START', messageId: 'm-1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm-1', delta: 'Looking' },
    ]);
  });

  test('the same status again adds nothing', () => {
    const log = afterTurn(startLog(), status('working', says('m-1', 'Looking')));
    expect(turnEvents(log.p, status('working', says('m-1', 'Looking')), ctx)).toEqual([]);
  });

  test('a message that is repeated with more text is continued', () => {
    const log = afterTurn(
      startLog(),
      status('working', says('m-1', 'Look')),
      status('working', says('m-1', 'Looking')),
    );
    expect(textOf(log.p, 'm-1')).toBe('Looking');
  });

  test('other words under an id that was used before are a further message', () => {
    const log = afterTurn(startLog(), status('working', says('m-1', 'One')), status('working', says('m-1', 'Two')));
    expect([textOf(log.p, 'm-1'), textOf(log.p, 'm-1~2')]).toEqual(['One', 'Two']);
    expect(turnEvents(log.p, status('working', says('m-1', 'Two')), ctx)).toEqual([]);
  });

  test('a message without an id gets one that stays the same', () => {
    const log = afterTurn(startLog(), status('working', says('', 'One')), status('working', says('', 'Two')));
    expect([textOf(log.p, 'a2a-1:status:1'), textOf(log.p, 'a2a-1:status:2')]).toEqual(['One', 'Two']);
    expect(turnEvents(log.p, status('working', says('', 'Two')), ctx)).toEqual([]);
  });

  test.each(['input-required', 'auth-required'] as const)('the message of %s is left to the pause', (state) => {
    const log = startLog();
    const events = turnEvents(log.p, status(state, says('m-ask', 'Which days?')), ctx);
    expect(typesOf(events)).toEqual(['STATE_DELTA']);
  });

  test('a long text comes in deltas of at most 64 KiB that never cut a character', () => {
    const words = '€😀'.repeat(20_000);
    const events = turnEvents(startLog().p, status('working', says('m-1', words)), ctx);
    const deltas = events.flatMap((event) => (typeof event['delta'] === 'string' ? [event['delta']] : []));
    expect(deltas.join('')).toBe(words);
    expect(
      deltas.every((delta) => Buffer.byteLength(delta) <= 65_536 && !/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(delta)),
    ).toBe(true);
  });

  test("a snapshot's history shows what was missed, in order, and never the person's own messages", () => {
    const log = afterTurn(startLog(), status('working', says('m-1', 'One')));
    const user = { ...says('u-9', 'Book it'), role: 'user' as const };
    const missed = aSnapshot({
      history: [user, says('m-1', 'One'), says('m-2', 'Two')],
      message: says('m-3', 'Three'),
    });
    const after = afterTurn(log, missed);
    expect(after.p.messages.map((message) => message['id'])).toEqual(['u-1', 'm-1', 'm-2', 'm-3']);
    expect(turnEvents(after.p, missed, ctx)).toEqual([]);
  });

  test('the question of a paused snapshot is not shown from its history either', () => {
    const ask = says('m-ask', 'Which days?');
    const log = afterTurn(startLog(), aSnapshot({ state: 'input-required', message: ask, history: [ask] }));
    expect(textOf(log.p, 'm-ask')).toBeUndefined();
  });

  test('a text that was cut off by a crash is completed by the next snapshot', () => {
    const log = withEvents(startLog(), [
      { type: 'TEXT_MESSAGE_START', messageId: 'm-1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm-1', delta: 'Loo' },
    ]);
    const after = afterTurn(log, aSnapshot({ state: 'completed', message: says('m-1', 'Looking') }));
    expect(textOf(after.p, 'm-1')).toBe('Looking');
  });

  test('a reply that is only a message leaves the state as the client sent it', async () => {
    const log = startLog({ clientState: { theme: 'dark' } });
    const projected = afterTurn(log, { type: 'message', message: says('m-1', 'Hello'), contextId: 'c-1' });
    const whole = withEvents(projected, endEvents(projected.p, { kind: 'message-only', message: '' }, ctx));
    expect(typesOf(whole.events)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    const shown = await expectShown(whole.events);
    expect(shown.state).toEqual({ theme: 'dark' });
  });

  test('events of another task of the agent, and those not understood, are ignored', () => {
    const log = afterTurn(startLog(), status('working'));
    const foreign = { ...aSnapshot({ message: says('m-x', 'Not ours') }), a2aTaskId: 'a2a-2' };
    expect(turnEvents(log.p, foreign, ctx)).toEqual([]);
    expect(turnEvents(log.p, { type: 'unknown', what: 'noise' }, ctx)).toEqual([]);
  });
});
