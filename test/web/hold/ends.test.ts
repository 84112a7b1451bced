// What the pages say of a decision, as one table: each end of each kind of question, at once, after a grace, and with others.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { holdKinds } from '../../../src/contract/base/kind-names.ts';
import { endNames } from '../../../src/contract/holds/hold-names.ts';
import type { EndName, HoldView } from '../../../src/contract/holds/hold.ts';
import { chatEndWords } from '../../../web/src/hold/record/chat-end.ts';
import { endSentence } from '../../../web/src/hold/record/end-sentence.ts';
import { outcomeOf } from '../../../web/src/hold/record/outcome.ts';
import { rowOfHold } from '../../../web/src/hold/row/hold-row.ts';
import { endWords } from '../../../web/src/hold/row/row-words.ts';
import { endOf } from '../../../web/src/hold/words/ends.ts';
import { entryWords } from '../../../web/src/task/task-words.ts';
import { translate } from '../../../web/src/i18n/define.ts';
import { de } from '../../../web/src/i18n/de/words.ts';
import { strings } from '../../../web/src/i18n/strings.ts';
import { aHold } from '../../rigs/pages/page-server.ts';

type Language = 'en' | 'de';
type Kind = HoldView['kind'];

const decidedAt = '2026-11-20T13:06:20.000Z';
const laterAt = '2026-11-20T13:07:20.000Z';
const decides = { field: 'approved', yes: true, no: false };
const together = { index: 1, count: 2, holdIds: [] };

/** What the server says of each way to end, whatever is asked. */
const ways = {
  yes: { status: 'decided', why: 'approved', by: 'ana', answer: 'resolved', verdict: 'yes' },
  no: { status: 'decided', why: 'declined', by: 'ana', answer: 'resolved', verdict: 'no' },
  neither: { status: 'decided', why: 'answered', by: 'ana', answer: 'resolved', verdict: 'answered' },
  none: { status: 'cancelled', why: 'declined', by: 'ana', answer: 'cancelled', verdict: 'no' },
  expired: { status: 'expired', why: 'expired', by: 'policy:ops', answer: null, verdict: null },
  withdrawn: { status: 'withdrawn', why: 'withdrawn', by: 'agent:expenses', answer: null, verdict: null },
  neighbour: { status: 'withdrawn', why: 'withdrawn', by: 'policy:ops', answer: null, verdict: null },
  superseded: { status: 'withdrawn', why: 'superseded', by: 'agent:expenses', answer: null, verdict: null },
  cancelled: { status: 'cancelled', why: 'cancelled', by: 'cem', answer: null, verdict: null },
} as const;
type Way = keyof typeof ways;

function ended(way: Way, kind: Kind, change: Partial<HoldView> = {}, endedAt = decidedAt): HoldView {
  const { status, why, by, answer, verdict } = ways[way];
  const given = { by, at: decidedAt, reason: null, source: 'page', digest: '', seenDigest: null } as const;
  const decision = answer === null ? null : { ...given, status: answer, values: {}, credential: null, actor: null };
  return aHold(1, { kind, decides: null, status, decision, verdict, ended: { by, at: endedAt, why }, ...change });
}

const yesNo: Record<Way, EndName> = {
  yes: 'approved',
  no: 'rejected',
  neither: 'answered',
  none: 'rejected',
  expired: 'expired',
  withdrawn: 'withdrawn',
  neighbour: 'endedWith',
  superseded: 'superseded',
  cancelled: 'cancelled',
};
const answer: Record<Way, EndName> = { ...yesNo, none: 'declined' };
const names: Record<Kind, Record<Way, EndName>> = {
  confirmation: yesNo,
  tool_call: yesNo,
  authorization: yesNo,
  form: answer,
  text: answer,
  operator: answer,
};

const everyWay = Object.keys(ways) as Way[];

// Promise QU1
describe.each(holdKinds)('the end of a question of kind %s', (kind) => {
  test.each(everyWay)('the end of a question has one name by what became of it: %s', (way) => {
    const hold = ended(way, kind);
    expect(endOf(hold)).toBe(names[kind][way]);
    expect(endOf(rowOfHold(hold))).toBe(names[kind][way]);
    // Two buttons are a yes and a no, whatever kind has them.
    expect(endOf(ended(way, kind, { decides }))).toBe(yesNo[way]);
  });
});

const wayOf: Record<EndName, [Way, Kind]> = {
  approved: ['yes', 'confirmation'],
  rejected: ['no', 'confirmation'],
  answered: ['neither', 'form'],
  declined: ['none', 'form'],
  expired: ['expired', 'form'],
  withdrawn: ['withdrawn', 'form'],
  endedWith: ['neighbour', 'form'],
  superseded: ['superseded', 'form'],
  cancelled: ['cancelled', 'form'],
};

/** Of the banner: one's own at once, another's at once, another's after a grace, another's of two questions; then pill, conversation, timeline. */
const shown: Record<Language, Record<EndName, [string, string, string, string, string, string, string]>> = {
  en: {
    approved: [
      'You approved at T1. The agent has it; it cannot be taken back.',
      'ana approved at T1; the agent goes on.',
      'ana approved at T1, and it was sent at T2.',
      'ana approved at T1. The agent gets it with the answers to the other questions.',
      'Approved by ana',
      'Approved.',
      'Approved: Pay?',
    ],
    rejected: [
      'You rejected at T1.',
      'ana rejected at T1.',
      'ana rejected at T1, and it was sent at T2.',
      'ana rejected at T1. The agent gets it with the answers to the other questions.',
      'Rejected by ana',
      'Rejected.',
      'Rejected: Pay?',
    ],
    answered: [
      'You answered at T1. The agent has it; it cannot be taken back.',
      'ana answered at T1; the agent goes on.',
      'ana answered at T1, and it was sent at T2.',
      'ana answered at T1. The agent gets it with the answers to the other questions.',
      'Answered by ana',
      'Answered the question.',
      'Answered: Pay?',
    ],
    declined: [
      'You declined to answer at T1.',
      'ana declined to answer at T1.',
      'ana declined to answer at T1, and it was sent at T2.',
      'ana declined to answer at T1. The agent gets it with the answers to the other questions.',
      'Declined by ana',
      'Declined to answer.',
      'Declined: Pay?',
    ],
    expired: [
      ...same('Expired at T1: the task failed (policy finance).', 'Expired at T2: the task failed (policy finance).'),
      'Expired (policy ops)',
      'Expired: no answer came in time (policy ops).',
      'Expired: Pay?',
    ],
    withdrawn: [
      ...same('expenses took the question back at T1.', 'expenses took the question back at T2.'),
      'Withdrawn by the agent',
      'expenses took the question back.',
      'Taken back: Pay?',
    ],
    endedWith: [
      ...same('Ended with the other question at T1 (policy ops).', 'Ended with the other question at T2 (policy ops).'),
      'Ended with the other question (policy ops)',
      'Ended with the other question (policy ops).',
      'Ended with the other question: Pay?',
    ],
    superseded: [
      ...same('expenses asked again at T1.', 'expenses asked again at T2.'),
      'The agent asked again',
      'expenses asked again.',
      'Asked again: Pay?',
    ],
    cancelled: [
      ...same('The task was cancelled by cem at T1.', 'The task was cancelled by cem at T2.'),
      'Task cancelled by cem',
      'The task was cancelled.',
      'Cancelled: Pay?',
    ],
  },
  de: {
    approved: [
      'Sie haben um T1 genehmigt. Der Agent hat es; es lässt sich nicht zurücknehmen.',
      'ana hat um T1 genehmigt; der Agent fährt fort.',
      'ana hat um T1 genehmigt; gesendet wurde es um T2.',
      'ana hat um T1 genehmigt. Der Agent bekommt es mit den Antworten auf die anderen Fragen.',
      'Genehmigt von ana',
      'Hat genehmigt.',
      'Genehmigt: Pay?',
    ],
    rejected: [
      'Sie haben um T1 abgelehnt.',
      'ana hat um T1 abgelehnt.',
      'ana hat um T1 abgelehnt; gesendet wurde es um T2.',
      'ana hat um T1 abgelehnt. Der Agent bekommt es mit den Antworten auf die anderen Fragen.',
      'Abgelehnt von ana',
      'Hat abgelehnt.',
      'Abgelehnt: Pay?',
    ],
    answered: [
      'Sie haben um T1 geantwortet. Der Agent hat es; es lässt sich nicht zurücknehmen.',
      'ana hat um T1 geantwortet; der Agent fährt fort.',
      'ana hat um T1 geantwortet; gesendet wurde es um T2.',
      'ana hat um T1 geantwortet. Der Agent bekommt es mit den Antworten auf die anderen Fragen.',
      'Beantwortet von ana',
      'Hat die Frage beantwortet.',
      'Beantwortet: Pay?',
    ],
    declined: [
      'Sie wollten um T1 nicht antworten.',
      'ana wollte um T1 nicht antworten.',
      'ana wollte um T1 nicht antworten; gesendet wurde es um T2.',
      'ana wollte um T1 nicht antworten. Der Agent bekommt es mit den Antworten auf die anderen Fragen.',
      'Nicht beantwortet von ana',
      'Wollte nicht antworten.',
      'Nicht beantwortet: Pay?',
    ],
    expired: [
      ...same(
        'Abgelaufen um T1: die Aufgabe ist gescheitert (Regel finance).',
        'Abgelaufen um T2: die Aufgabe ist gescheitert (Regel finance).',
      ),
      'Abgelaufen (Regel ops)',
      'Abgelaufen: Niemand hat rechtzeitig geantwortet (Regel ops).',
      'Abgelaufen: Pay?',
    ],
    withdrawn: [
      ...same('expenses hat die Frage um T1 zurückgezogen.', 'expenses hat die Frage um T2 zurückgezogen.'),
      'Vom Agenten zurückgezogen',
      'expenses hat die Frage zurückgezogen.',
      'Zurückgezogen: Pay?',
    ],
    endedWith: [
      ...same('Endete um T1 mit der Frage daneben (Regel ops).', 'Endete um T2 mit der Frage daneben (Regel ops).'),
      'Endete mit der Frage daneben (Regel ops)',
      'Endete mit der Frage daneben (Regel ops).',
      'Mit der Frage daneben beendet: Pay?',
    ],
    superseded: [
      ...same('expenses hat um T1 neu gefragt.', 'expenses hat um T2 neu gefragt.'),
      'Der Agent hat neu gefragt',
      'expenses hat neu gefragt.',
      'Neu gefragt: Pay?',
    ],
    cancelled: [
      ...same('Die Aufgabe wurde um T1 von cem abgebrochen.', 'Die Aufgabe wurde um T2 von cem abgebrochen.'),
      'Aufgabe abgebrochen von cem',
      'Die Aufgabe wurde abgebrochen.',
      'Abgebrochen: Pay?',
    ],
  },
};

/** Of what no answer ended nothing is sent: it reads the same for everybody, also with other questions. */
function same(now: string, later: string): [string, string, string, string] {
  return [now, now, later, now];
}

const german: Record<string, Record<string, unknown>> = de;

const copyOf = (words: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(words).map(([name, word]) => [
      name,
      typeof word === 'object' && word !== null ? copyOf(word) : word,
    ]),
  );

describe.each(['en', 'de'] as const)('in %s', (language) => {
  // The pages speak one language at a time, and so do all tests of one process.
  const english = Object.fromEntries(
    Object.entries({ hold: strings.hold, ends: strings.ends, task: strings.task, expiry: strings.expiry }).map(
      ([name, words]) => [name, copyOf(words)],
    ),
  );
  beforeAll(() => {
    if (language === 'de')
      translate(Object.fromEntries(Object.keys(english).map((name) => [name, german[name] ?? {}])));
  });
  afterAll(() => {
    translate(english);
    translate({});
  });

  // Promise QU1
  test.each(endNames)('what is shown of one that was %s agrees wherever it is shown', (name) => {
    const [way, kind] = wayOf[name];
    const clock = (iso: string): string => (iso === decidedAt ? 'T1' : 'T2');
    const banner = (one: HoldView, myId: string | null): string => endSentence(one, myId, clock);
    const hold = ended(way, kind);
    const by = hold.ended?.by ?? '';
    expect([
      banner(hold, 'ana'),
      banner(hold, null),
      banner(ended(way, kind, {}, laterAt), null),
      banner(ended(way, kind, { pause: together }), null),
      endWords(rowOfHold(hold), null),
      chatEndWords({ by, name }, 'expenses'),
      entryWords({ what: 'hold.ended', word: name, title: 'Pay?' }),
    ]).toEqual(shown[language][name]);
  });
});

// Promise QU1
test('what was chosen of more than a yes and a no is named wherever the end is', () => {
  const chosen = 'Escalate to legal';
  const hold = ended('neither', 'form', { chosen });
  expect([
    endSentence(hold, 'ana', () => 'T1'),
    endWords(rowOfHold(hold), null),
    endWords(rowOfHold(ended('no', 'form', { chosen: 'Send back' })), null),
    chatEndWords({ by: 'ana', name: 'answered', chosen }, 'expenses'),
  ]).toEqual([
    'You answered at T1: Escalate to legal. The agent has it; it cannot be taken back.',
    'Answered by ana: Escalate to legal',
    'Rejected by ana: Send back',
    'Answered the question. “Escalate to legal”',
  ]);
});

describe('what of an ended question was sent', () => {
  const sent = (way: Way, change: Partial<HoldView> = {}) => outcomeOf(ended(way, 'form', change));
  test.each<[Way, Partial<HoldView>, ReturnType<typeof outcomeOf>['sent']]>([
    ['yes', {}, 'values'],
    ['neither', {}, 'values'],
    ['no', { onReject: 'cancels' }, 'refusal'],
    ['none', { onReject: 'answers' }, 'refusal'],
    ['none', { onReject: 'cancels' }, 'nothing'],
    ['expired', { expires: { at: null, then: 'fail', clock: 'wall' } }, 'nothing'],
    ['expired', { expires: { at: null, then: 'cancel', clock: 'wall' } }, 'nothing'],
    ['expired', { expires: { at: null, then: 'reject', clock: 'wall' } }, 'refusal'],
    ['expired', { expires: { at: null, then: 'default', clock: 'wall' } }, 'values'],
    ['withdrawn', {}, 'nothing'],
    ['neighbour', {}, 'nothing'],
    ['superseded', {}, 'nothing'],
    ['cancelled', {}, 'nothing'],
  ])('what was sent of one that ended by %s with %j: %s', (way, change, what) => {
    expect(sent(way, change).sent).toBe(what);
  });

  test('the time of sending is at once, after a grace, or with the answers to other questions', () => {
    expect(sent('yes').when).toBe('atOnce');
    expect(outcomeOf(ended('yes', 'form', {}, laterAt)).when).toBe('later');
    expect(sent('yes', { pause: together }).when).toBe('together');
  });
});
