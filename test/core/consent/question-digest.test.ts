import { describe, expect, test } from '@jest/globals';
import type { Attachment } from '../../../src/contract/holds/attachment.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { dialectDigest, holdDigest, type AskedQuestion } from '../../../src/core/consent/question-digest.ts';
import { fingerprintOf } from '../../../src/host/secrets/hash.ts';
import { aQuestion } from '../../rigs/factories.ts';

const question = aQuestion({
  tool: { callId: 'c-1', name: 'pay', args: { amount: 5 }, isEditable: false },
  links: [{ url: 'https://a.example', title: 'Invoice' }],
  reply: { payload: 'EUR' },
});
const file: Attachment = {
  id: 'f',
  source: 'question',
  name: 'a.pdf',
  mediaType: 'application/pdf',
  size: 3,
  uri: null,
  digest: 'sha256:a',
  omitted: null,
};
const asked: AskedQuestion = {
  holdId: 'h-1',
  agent: 'expenses',
  requester: 'olga',
  question,
  artifacts: [],
  attachments: [],
};
const withQuestion = (change: Partial<Question>): AskedQuestion => ({ ...asked, question: { ...question, ...change } });
const tool = { callId: 'c-1', name: 'pay', args: { amount: 5 }, isEditable: false };

// Promise QU2
describe('the digest of a question', () => {
  test.each<[string, AskedQuestion]>([
    ['hold', { ...asked, holdId: 'h-2' }],
    ['agent', { ...asked, agent: 'travel' }],
    ['requester', { ...asked, requester: 'otto' }],
    ['artifact', { ...asked, artifacts: [{ id: 'a', name: 'a', digest: 'sha256:a' }] }],
    ['file', { ...asked, attachments: [{ ...file, digest: 'sha256:b' }] }],
    ['name of a file', { ...asked, attachments: [{ ...file, name: 'b.pdf' }] }],
    ['data', { ...asked, attachments: [{ ...file, digest: 'sha256:c', data: { total: 7 } }] }],
    ['kind', withQuestion({ kind: 'tool_call' })],
    ['title', withQuestion({ title: 'Pay more?' })],
    ['message', withQuestion({ message: 'Now.' })],
    ['schema', withQuestion({ schema: { type: 'object' } })],
    ['defaults', withQuestion({ defaults: { city: 'Rome' } })],
    ['tool', withQuestion({ tool: { ...tool, name: 'refund' } })],
    ['tool call', withQuestion({ tool: { ...tool, callId: 'c-2' } })],
    ['argument', withQuestion({ tool: { ...tool, args: { amount: 6 } } })],
    ['link', withQuestion({ links: [{ url: 'https://b.example', title: 'Invoice' }] })],
    ['payload of the reply, though it is not an object', withQuestion({ reply: { payload: 'USD' } })],
    ['form of the agent', withQuestion({ form: { type: 'a2a.hitl.form', note: 'drawn by front ends' } })],
    ['complaint about an earlier answer', withQuestion({ errors: { city: 'not there' } })],
  ])('the digest of a question is another one for another %s', (_what, other) => {
    expect(holdDigest(fingerprintOf, other)).not.toBe(holdDigest(fingerprintOf, asked));
  });

  test('the digest of a question is the same for the same question', () => {
    expect(holdDigest(fingerprintOf, withQuestion({ reply: { payload: 'EUR' } }))).toBe(
      holdDigest(fingerprintOf, asked),
    );
    expect(dialectDigest(fingerprintOf, { ...question, title: 'shown as such' })).toBe(
      dialectDigest(fingerprintOf, question),
    );
  });
});
