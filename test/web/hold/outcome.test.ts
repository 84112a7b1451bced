// What a page says was sent, for every end of every kind of question.
import { describe, expect, test } from '@jest/globals';
import { holdKinds } from '../../../src/contract/base/kind-names.ts';
import { type Outcome, outcomeOf } from '../../../web/src/hold/record/outcome.ts';

type Ended = Parameters<typeof outcomeOf>[0];
type Then = Ended['expires']['then'];

const at = '2026-11-22T10:00:00.000Z';

const aHold = (kind: Ended['kind'], change: Partial<Ended>): Ended => ({
  kind,
  status: 'decided',
  ended: null,
  decision: null,
  expires: { at: null, clock: 'wall', then: 'fail' },
  onReject: 'answers',
  verdict: null,
  schema: { properties: { approved: { type: 'boolean' }, reason: { type: 'string' } } },
  defaults: {},
  context: { conversation: '', artifacts: [], toolArgs: {}, files: [], data: [], dialectDigest: null } as never,
  tool: { callId: 'c-1', name: 'pay', isEditable: false },
  secretPaths: [],
  digest: 'sha256:1',
  decides: null,
  supersededBy: null,
  pause: { index: 1, count: 1, holdIds: [] },
  ...change,
});

const answered = (
  status: 'resolved' | 'cancelled',
  reason: string | null,
  values = {},
): NonNullable<Ended['decision']> =>
  ({ by: 'ana', at, status, values, reason, source: 'page' }) as NonNullable<Ended['decision']>;

const ended = (why: NonNullable<Ended['ended']>['why']): NonNullable<Ended['ended']> => ({ by: 'ana', at, why });

describe.each(holdKinds)('of a question of kind %s', (kind) => {
  test('a yes sends its values', () => {
    const hold = aHold(kind, { ended: ended('approved'), decision: answered('resolved', null, { approved: true }) });
    expect(outcomeOf(hold)).toMatchObject({ sent: 'values', reason: null });
  });

  test('a no sends a refusal with its reason, and nothing where it only ends the task', () => {
    const hold = aHold(kind, { ended: ended('declined'), decision: answered('cancelled', 'too dear') });
    expect(outcomeOf(hold)).toMatchObject({ sent: 'refusal', reason: 'too dear' });
    expect(outcomeOf({ ...hold, onReject: 'cancels' })).toMatchObject({ sent: 'nothing', reason: 'too dear' });
  });

  test.each<[Then, Outcome['sent']]>([
    ['fail', 'nothing'],
    ['cancel', 'nothing'],
    ['reject', 'refusal'],
    ['default', 'values'],
  ])('a question that expired, and then %s, sends: %s', (then, sent) => {
    const expires = { at, clock: 'wall' as const, then };
    expect(outcomeOf(aHold(kind, { status: 'expired', ended: ended('expired'), expires })).sent).toBe(sent);
  });

  test.each(['withdrawn', 'superseded', 'cancelled'] as const)('a question that was %s sends nothing', (why) => {
    expect(outcomeOf(aHold(kind, { status: 'cancelled', ended: ended(why) })).sent).toBe('nothing');
  });
});

test('the reason of a rejected call is found in the field that carried it', () => {
  const decision = answered('resolved', null, { approved: false, reason: 'not in the freeze' });
  const decides = { field: 'approved', yes: true, no: false };
  expect(outcomeOf(aHold('tool_call', { ended: ended('declined'), decision, decides }))).toMatchObject({
    sent: 'refusal',
    reason: 'not in the freeze',
  });
});

test('a no among the fields of a form is a refusal, and its reason is the field that took it', () => {
  const decides = { field: 'approve', yes: true, no: false } as unknown as NonNullable<Ended['decides']>;
  const schema = { properties: { approve: { type: 'boolean' }, comment: { type: 'string' } } };
  const decision = answered('resolved', null, { approve: false, comment: 'no receipt', centre: 'sales' });
  const hold = aHold('form', { ended: ended('declined'), decision, schema, decides });
  expect(outcomeOf(hold)).toMatchObject({ sent: 'refusal', reason: 'no receipt' });
});
