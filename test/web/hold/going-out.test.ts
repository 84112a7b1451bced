// An answer that can be taken back, and the same answer once it is sent: pages, terminal and messages call them the same.
import { expect, test } from '@jest/globals';
import { holdKinds } from '../../../src/contract/base/kind-names.ts';
import type { AnswerEntry } from '../../../src/contract/holds/decision.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { bareNames, formatDecision } from '../../../src/cli/operate/outcome-text.ts';
import { decisionOf } from '../../../src/core/answers/decision.ts';
import { isAnswerName } from '../../../src/core/answers/end-name.ts';
import { endReasonOf } from '../../../src/core/consent/verdict.ts';
import { endWords } from '../../../src/core/questions/shown-question.ts';
import { doneWord } from '../../../web/src/hold/grace/done-words.ts';
import { endOf } from '../../../web/src/hold/words/ends.ts';
import { after, aHoldRow, anAnswer, aPrincipal, aQuestion } from '../../rigs/factories.ts';
import { aHoldView } from '../../rigs/hold-row.ts';

type Given = Pick<AnswerEntry, 'status' | 'values'>;

const flag = { type: 'boolean' };
const text = { type: 'string' };
const asked: [JsonObject, JsonObject[]][] = [
  [{ go: flag }, [{ go: true }, { go: false }]],
  [
    { approved: flag, note: text },
    [
      { approved: true, note: '' },
      { approved: false, note: 'x' },
    ],
  ],
  [{ accept: { ...flag, title: 'Accept' }, note: text }, [{ accept: true }, { accept: false }]],
  [
    { decision: { enum: ['approve', 'escalate', 'reject'] } },
    ['approve', 'escalate', 'reject'].map((decision) => ({ decision })),
  ],
  [{ note: text }, [{ note: 'x' }]],
];
const refused: Given = { status: 'cancelled', values: {} };

/** The words for one answer, while it waits and once it is sent: on pages, at a terminal, and in messages. */
function wordsOf(kind: (typeof holdKinds)[number], properties: JsonObject, given: Given): [string[], string[]] {
  const question = aQuestion({ kind, schema: { type: 'object', properties }, defaults: {} });
  const entry = anAnswer(undefined, given);
  const how = { source: 'page' as const, digest: 'sha256:1', audience: ['owner'] };
  const decision = decisionOf(entry, aPrincipal('olga'), after('1m'), how);
  const why = endReasonOf(question, decision);
  const waits = { question, outgoing: { decision, fingerprint: entry.fingerprint, at: after('2m') } };
  const status = given.status === 'resolved' ? 'decided' : 'cancelled';
  const sent = { question, decision, status, ended: { by: 'olga', at: after('2m'), why } } as const;
  const [going, over] = [aHoldView(waits), aHoldView(sent)];
  const name = endOf(over);
  if (going.outgoing === null || !isAnswerName(name)) throw new Error('it was not answered');
  const verb = (words: string | null): string => (words ?? '').split(' by ')[0] ?? '';
  return [
    [doneWord(going, going.outgoing), verb(formatDecision(going, bareNames)), verb(endWords({}, aHoldRow(waits)))],
    [doneWord(over, { name }), verb(formatDecision(over, bareNames)), verb(endWords({}, aHoldRow(sent)))],
  ];
}

// Promise QU1
test.each(holdKinds)('an answer to a question of kind %s is called as its end will be', (kind) => {
  for (const [properties, answers] of asked) {
    for (const given of [...answers.map((values): Given => ({ status: 'resolved', values })), refused]) {
      const [waits, sent] = wordsOf(kind, properties, given);
      expect({ properties, given, words: waits }).toEqual({ properties, given, words: sent });
    }
  }
});

// Promise QU1
test('an answer that waits to be sent names what was chosen, and a no in a field', () => {
  const decision = { enum: ['approve', 'escalate', 'reject'] };
  const [chosen] = wordsOf('form', { decision }, { status: 'resolved', values: { decision: 'escalate' } });
  expect(chosen).toEqual(['Answered (escalate)', 'answered (escalate)', 'Answered (escalate)']);
  const [no] = wordsOf('form', { accept: flag, note: text }, { status: 'resolved', values: { accept: false } });
  expect(no).toEqual(['Rejected', 'rejected', 'Rejected']);
});
