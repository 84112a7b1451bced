// A caller's own LangChain answer is recorded as what it says, in the shape in which its agent is answered.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../../src/contract/base/json.ts';
import type { Question } from '../../../../src/contract/holds/question.ts';
import type { NeutralPart } from '../../../../src/contract/tasks/turn.ts';
import { takesNoAlone, verdictOf } from '../../../../src/core/consent/verdict.ts';
import { readCallerAnswer } from '../../../../src/wire/a2a/caller/caller-answer.ts';
import { canRefuse, encodeAnswers, readPause } from '../../../../src/wire/a2a/dialects/registry.ts';
import { fc, runs } from '../../../rigs/properties.ts';
import { aPartsPause, aPause, refused, resolved } from '../factories.ts';

const part = (data: Json): NeutralPart => ({ kind: 'data', data, metadata: {} });
const one = (data: JsonObject): Question => {
  const [question, ...more] = readPause(aPartsPause([{ data }])).questions;
  if (question === undefined || more.length > 0) throw new Error('not one question');
  return question;
};
const approval = one({ type: 'tool_approval', tool_call_id: 'c-1', name: 'pay', args: { amount: 5 } });
const inbox = one({
  action_request: { action: 'pay', args: { amount: 5 } },
  config: { allow_accept: true, allow_edit: true, allow_ignore: true, allow_respond: true },
});
const listed = one({
  action_requests: [{ name: 'pay', args: { amount: 5 } }],
  review_configs: [{ action_name: 'pay', allowed_decisions: ['approve', 'reject'] }],
});
const ofJavaScript = one({
  actionRequests: [{ name: 'pay', args: { amount: 5 } }],
  reviewConfigs: [{ actionName: 'pay', allowedDecisions: ['approve', 'edit', 'reject'] }],
});
const readAs = (question: Question, ...data: Json[]): [boolean, string] => {
  const { values, isRead } = readCallerAnswer(question, data.map(part));
  return [isRead, verdictOf(question, { status: 'resolved', values })];
};

describe('a caller’s own LangChain answer', () => {
  // Promise Y55a
  test.each<[string, Question, Json, string]>([
    ['approve', approval, { type: 'approve' }, 'yes'],
    ['reject', approval, { type: 'reject', message: 'too dear' }, 'no'],
    ['edit', approval, { type: 'edit', edited_action: { name: 'pay', args: { amount: 4 } } }, 'yes'],
    ['accept', inbox, { type: 'accept', args: null }, 'yes'],
    ['ignore', inbox, { type: 'ignore', args: null }, 'no'],
    ['response', inbox, { type: 'response', args: 'ask the bank' }, 'answered'],
    ['approve in a list', listed, { decisions: [{ type: 'approve' }] }, 'yes'],
    ['reject in a list', listed, { decisions: [{ type: 'reject' }] }, 'no'],
    [
      'edit of JavaScript',
      ofJavaScript,
      { decisions: [{ type: 'edit', editedAction: { name: 'pay', args: { amount: 4 } } }] },
      'yes',
    ],
  ])('a caller’s own LangChain answer is recorded as what it says: %s', (_what, question, data, verdict) => {
    expect(readAs(question, data)).toEqual([true, verdict]);
  });

  // Promise Y55a
  test.each<[string, Question, Json[]]>([
    ['of another shape', listed, [{ type: 'approve' }]],
    ['that is not allowed', listed, [{ decisions: [{ type: 'edit', edited_action: { name: 'pay', args: {} } }] }]],
    ['with more decisions than calls', listed, [{ decisions: [{ type: 'approve' }, { type: 'reject' }] }]],
    ['that edits another action', approval, [{ type: 'edit', edited_action: { name: 'refund', args: {} } }]],
    ['that accepts other arguments', inbox, [{ type: 'accept', args: { amount: 900 } }]],
    ['of words of no decision', approval, [{ type: 'escalate' }]],
    [
      'under another id',
      one({ id: 'i-1', value: { type: 'tool_approval', name: 'pay', args: {} } }),
      [{ 'i-2': { type: 'approve' } }],
    ],
  ])('a caller’s own LangChain answer %s is neither a yes nor a no', (_what, question, data) => {
    expect(readAs(question, ...data)).toEqual([false, 'answered']);
  });

  // Promise Y55a
  test('a caller’s own LangChain answer to one of several questions is read for that one alone', () => {
    const asked = ['i-1', 'i-2'].map((id) => ({
      data: { id, value: { type: 'tool_approval', name: 'pay', args: {} } },
    }));
    const { questions } = readPause(aPartsPause(asked));
    const data = { 'i-1': { type: 'reject' }, 'i-2': { type: 'approve' } };
    expect(questions.map((question) => readAs(question, data)[1])).toEqual(['no', 'yes']);
    expect(questions.map((question) => readAs(question, { 'i-2': { type: 'approve' } })[1])).toEqual([
      'answered',
      'yes',
    ]);
  });

  // Promise Y55a
  test('what Standfast itself would write as an answer is read from a caller as that same answer', () => {
    const folder = new URL('../../fixtures/langchain/', import.meta.url);
    const recorded = readdirSync(folder).map((file) => {
      const { message, state } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
        message: Json;
        state: never;
      };
      return readPause(aPause({ wire: message, state })).questions;
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...recorded, [approval], [inbox], [listed]),
        fc.array(fc.constantFrom('yes', 'no', 'words'), { minLength: 12, maxLength: 12 }),
        (questions, words) => {
          const answers = questions.map((question, at) => ({
            question,
            answer:
              takesNoAlone(question) || (words[at] === 'no' && canRefuse(question))
                ? refused('too dear')
                : resolved(
                    question.kind === 'text'
                      ? { text: 'blue' }
                      : words[at] === 'words' && question.insteadField !== undefined
                        ? { approved: false, response: 'ask the bank' }
                        : { approved: true },
                  ),
          }));
          const encoded = encodeAnswers(answers);
          fc.pre(encoded.result === 'ok');
          if (encoded.result !== 'ok') return;
          for (const { question, answer } of answers) {
            const { values, isRead } = readCallerAnswer(question, encoded.parts);
            expect(isRead).toBe(true);
            expect(verdictOf(question, { status: 'resolved', values })).toBe(verdictOf(question, answer));
          }
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
