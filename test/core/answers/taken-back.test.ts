import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { draftOfAnswer } from '../../../src/core/answers/taken-back.ts';
import { aQuestion } from '../../rigs/factories.ts';

const schemaOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const yesNo = { approved: { type: 'boolean' }, reason: { type: 'string' } };
const tool = { callId: 'c', name: 'pay', args: { amount: 90 }, isEditable: true };
const call = aQuestion({ kind: 'tool_call', schema: schemaOf(yesNo), tool, defaults: { editedArgs: { amount: 90 } } });
const form = aQuestion({
  kind: 'form',
  schema: schemaOf({ city: { type: 'string' }, pin: { type: 'string' }, approve: { type: 'boolean' } }),
  defaults: { city: 'Bonn' },
  secrets: ['pin'],
});
const answered = (values: JsonObject, reason: string | null = null) => ({ values, reason });

// Promise Y89
test.each<[string, Question, ReturnType<typeof answered>, JsonObject]>([
  ['the fields that were filled in', form, answered({ city: 'Rome', approve: true }), { city: 'Rome' }],
  ['no secret', form, answered({ city: 'Rome', pin: 'secret:1', approve: true }), { city: 'Rome' }],
  ['nothing that was proposed', form, answered({ city: 'Bonn', approve: true }), {}],
  ['nothing of a plain yes', call, answered({ approved: true }), {}],
  [
    'the arguments as they were edited',
    call,
    answered({ approved: true, editedArgs: { amount: 80 } }),
    { editedArgs: { amount: 80 } },
  ],
  ['the reason of a no', call, answered({ approved: false, reason: 'too much' }), { $reason: 'too much' }],
  ['the reason of a refusal', call, answered({}, 'too much'), { $reason: 'too much' }],
])('the draft of an answer that was taken back is %s', (_what, question, answer, draft) => {
  expect(draftOfAnswer(question, answer)).toEqual(draft);
});
