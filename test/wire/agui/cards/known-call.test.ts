import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../../src/contract/holds/question.ts';
import type { Json } from '../../../../src/contract/base/json.ts';
import { yesOf } from '../../../../src/core/consent/verdict.ts';
import { pauseEvents } from '../../../../src/wire/agui/project/pause.ts';
import { withKnownCalls } from '../../../../src/wire/agui/cards/known-call.ts';
import { expectShown } from '../real-client.ts';
import {
  afterTurn,
  aPause,
  aToolHold,
  ctx,
  data,
  gives,
  startLog,
  status,
  text,
  typesOf,
  valueAtPath,
  withEvents,
  type Log,
} from '../scene.ts';

const call = (args: Json, id = 'call-7'): ReturnType<typeof data> =>
  data({ type: 'tool-call', id, name: 'pay', arguments: args });
const projected = (...parts: ReturnType<typeof data>[]): Log =>
  afterTurn(startLog(), status('working', gives('m-1', [text('I will pay'), ...parts])));

/** A question that names its call by the id alone. */
const asked = (args: { callId?: string; args?: { [key: string]: Json } } = {}): Question[] => [
  aToolHold({ tool: { callId: 'call-7', name: '', args: {}, ...args } }).question,
];

describe('a question that names a call by its id', () => {
  // Promise D4
  test('a question that names a call by its id gets name and arguments of the call that was announced, and the call is not announced again', async () => {
    const log = projected(call({ amount: 5, to: { iban: 'DE1' } }));
    const [question] = withKnownCalls(log.p, asked());
    expect(question?.tool).toMatchObject({ callId: 'call-7', name: 'pay', args: { amount: 5, to: { iban: 'DE1' } } });
    if (question === undefined) throw new Error('there is one question');
    const events = pauseEvents(log.p, aPause({ holds: [{ ...aToolHold(), question }] }), ctx);
    expect(typesOf(events).filter((type) => type.startsWith('TOOL_CALL'))).toEqual([]);
    expect(valueAtPath(events.at(-1) ?? {}, 'outcome', 'interrupts')).toMatchObject([
      { reason: 'tool_call', toolCallId: 'call-7' },
    ]);
    await expectShown(withEvents(log, events).events);
  });

  test('a question that names a call by its id is about the newest call of that id without a result', () => {
    const result = data({ type: 'tool-result', toolCallId: 'call-7', payload: 'done' });
    const log = projected(call({ amount: 1 }), result, call({ amount: 2 }));
    expect(withKnownCalls(log.p, asked())[0]?.tool).toMatchObject({ name: 'pay', args: { amount: 2 } });
  });

  test('a question that names a call by its id keeps the arguments that it states itself', () => {
    const [question] = withKnownCalls(projected(call({ amount: 5 })).p, asked({ args: { amount: 6 } }));
    expect(question?.tool).toMatchObject({ name: 'pay', args: { amount: 6 } });
  });

  const long = 'x'.repeat(600_000);
  test.each<{ name: string; log: Log; args: Json }>([
    { name: 'no call of that id', log: projected(), args: {} },
    { name: 'arguments that are no object', log: projected(call([1, 2])), args: { arguments: [1, 2] } },
    // Promise Y11
    { name: 'very long arguments', log: projected(call({ text: long })), args: { text: long } },
  ])(
    'a question that names a call by its id is asked all the same where the agent has announced $name',
    ({ log, args }) => {
      const [question] = withKnownCalls(log.p, asked());
      expect(question?.tool?.args).toEqual(args);
      expect(question?.tool?.name).not.toBe('');
    },
  );

  // Promise Y15a
  test('a question that names a call by its id is not approved where the arguments of the call were too long to be kept', () => {
    const log = projected(call({ text: '€'.repeat(1_500_000) }));
    const [question] = withKnownCalls(log.p, asked());
    if (question === undefined) throw new Error('there is one question');
    expect(question.message).toContain('longer than what is kept. It can be refused, and not approved.');
    expect(yesOf(question)).toBeNull();
  });
});
