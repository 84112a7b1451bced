import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { lastCall, type DecidedCall } from '../../../src/core/questions/last-call.ts';
import { aQuestion } from '../../rigs/factories.ts';

const schema = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
  required: ['approved'],
};

const call = (args: JsonObject, change: Partial<Question> = {}): Question =>
  aQuestion({
    kind: 'tool_call',
    schema,
    tool: { callId: 'c', name: 'scale', args, isEditable: true },
    ...change,
  });

let minute = 0;
function decided(question: Question, values: Record<string, Json> = { approved: true }, by = 'ana'): DecidedCall {
  minute += 1;
  const at = new Date(minute * 60_000).toISOString();
  return { holdId: `h-${minute}`, question, decision: { by, at, status: 'resolved', values } };
}

describe('a tool call against the last one that was approved', () => {
  test('a tool call against the last one that was approved names what differs, what it was, and how often that was approved', () => {
    const past = [
      decided(call({ service: 'checkout', to: { replicas: 6, zone: 'a' } }), { approved: true }, 'cem'),
      ...Array.from({ length: 3 }, () => decided(call({ service: 'search', to: { replicas: 6, zone: 'a' } }))),
      decided(call({ service: 'checkout', to: { replicas: 4, zone: 'a' } })),
    ];
    const last = lastCall(call({ service: 'checkout', to: { replicas: 40, zone: 'a' } }), past, 'ana');
    expect(last).toEqual({
      id: past[0]?.holdId,
      at: past[0]?.decision?.at,
      by: 'cem',
      approved: 5,
      same: 2,
      differs: [{ path: ['to', 'replicas'], kind: 'changed', before: 6, now: 40, times: 4, mine: 3 }],
    });
  });

  test('a tool call against the last one that was approved compares with what was granted, not with what was proposed', () => {
    const past = [
      decided(call({ replicas: 40, zone: 'a' }), { approved: true, editedArgs: { replicas: 6, zone: 'a' } }),
    ];
    expect(lastCall(call({ replicas: 6, zone: 'a' }), past, 'ana')).toMatchObject({ same: 2, differs: [] });
    expect(lastCall(call({ replicas: 40, zone: 'a' }), past, 'ana')?.differs).toMatchObject([{ before: 6 }]);
  });

  // Promise CO5
  test('a tool call against the last one that was approved lacks the arguments that were edited out of that one', () => {
    const past = [decided(call({ replicas: 40, zone: 'a' }), { approved: true, editedArgs: { replicas: 6 } })];
    expect(lastCall(call({ replicas: 6, zone: 'a' }), past, 'ana')?.differs).toMatchObject([
      { path: ['zone'], kind: 'added', before: null, now: 'a' },
    ]);
  });

  test('a tool call against the last one that was approved says what is new and what is gone', () => {
    const past = [decided(call({ zone: 'a', reason: 'Sale' }))];
    expect(lastCall(call({ zone: 'a', force: true }), past, 'ana')?.differs).toEqual([
      { path: ['reason'], kind: 'removed', before: 'Sale', now: null, times: 1, mine: 1 },
      { path: ['force'], kind: 'added', before: null, now: true, times: 1, mine: 1 },
    ]);
  });

  test('a tool call against the last one that was approved takes no call that was refused, is of another tool, or has secret arguments', () => {
    const other = { callId: 'c', name: 'stop', args: { zone: 'b' }, isEditable: true };
    const past = [
      decided(call({ zone: 'b' }), { approved: false }),
      decided(call({}, { tool: other })),
      decided(call({ zone: 'b' }, { secrets: ['editedArgs'] })),
    ];
    expect(lastCall(call({ zone: 'a' }), past, 'ana')).toBeNull();
    expect(lastCall(aQuestion(), [decided(call({ zone: 'a' }))], 'ana')).toBeNull();
  });

  test('a tool call against the last one that was approved is bounded: long texts are cut, and no more than a hundred differences are named', () => {
    const many = (word: string): JsonObject =>
      Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`a${n}`, word.repeat(300)]));
    const differs = lastCall(call(many('y')), [decided(call(many('x')))], 'ana')?.differs ?? [];
    expect(differs).toHaveLength(100);
    expect(differs[0]).toMatchObject({ before: `${'x'.repeat(200)}…`, now: `${'y'.repeat(200)}…` });
  });
});
