import { describe, expect, test } from '@jest/globals';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { askedAgainOf } from '../../../src/core/task/asked-again.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import { receiptClaims } from '../../../src/core/consent/receipt.ts';
import { aDigestedRow, prover, provedAgain } from '../../rigs/proofs.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { aDecideCommand, after, aHold, anAnswer, aPrincipal, aQuestion, aTask } from '../../rigs/factories.ts';

const rules = [{ when: { data: 'amount > 1000' }, policy: 'director' }];
const payment = (amount: number): Hold['question'] =>
  aQuestion({
    kind: 'tool_call',
    tool: { callId: 'c-1', name: 'pay', args: { amount }, isEditable: true },
    schema: {
      type: 'object',
      properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
      required: ['approved'],
    },
    defaults: { editedArgs: { amount } },
  });
const asked = (n: number, more: Partial<Hold['plan']> = {}): Hold => {
  const hold = aHold({ n, question: payment(900) });
  const judging = { rules, policy: 'team', chosen: 'team' };
  return { ...hold, plan: { ...hold.plan, policy: 'team', judging, receipt: { forMs: 1, version: 'v' }, ...more } };
};
const decide = (state: TaskState, hold: Hold, values: JsonObject, by = aPrincipal()): Outcome =>
  reduce(
    state,
    { type: 'decide', command: aDecideCommand(anAnswer(hold, { values }), { principal: by, receivedAt: after('2m') }) },
    after('2m'),
  );
const edited = { approved: true, editedArgs: { amount: 900_000 } };

describe('an edited call', () => {
  // Promise Y33
  test('an edited call that comes under another policy is not decided, and is asked about again under that policy', () => {
    const [hold] = [asked(1)];
    const { state, effects, reply } = decide(aTask({ phase: 'holding', holds: [hold] }), hold, edited);
    expect(reply).toMatchObject({ ok: false, code: 'edit_under_other_policy', data: { policy: 'director' } });
    expect(effects).toEqual([{ kind: 'openHolds', openedAt: after('2m') }]);
    expect(state).toMatchObject({
      phase: 'opening',
      holds: [{ status: 'withdrawn', decision: null, ended: { why: 'superseded', by: 'olga' } }],
      questions: [{ tool: { args: { amount: 900_000 } }, defaults: { editedArgs: { amount: 900_000 } } }],
    });
    expect(state.questions[0]?.message).toContain('olga edited the arguments');
    expect(askedAgainOf(state)).toEqual([{ holdId: hold.holdId, inherits: null }]);
  });

  // Promise Y33
  test('an edited call whose policy stays is decided, as is one that is refused', () => {
    const hold = asked(1);
    const holding = aTask({ phase: 'holding', holds: [hold] });
    expect(decide(holding, hold, { approved: true, editedArgs: { amount: 800 } }).state.phase).toBe('turn');
    expect(decide(holding, hold, { approved: true }).state.phase).toBe('turn');
  });

  test('an edited call among questions of which none has an answer opens them all again, the others with their times', () => {
    const holds = [asked(1), asked(2)];
    const [one = asked(1), two = asked(2)] = holds;
    const { state } = decide(aTask({ phase: 'holding', holds }), one, edited);
    expect(state.questions.map(({ tool }) => tool?.args)).toEqual([{ amount: 900_000 }, { amount: 900 }]);
    expect(askedAgainOf(state)).toMatchObject([
      { holdId: one.holdId, inherits: null },
      { holdId: two.holdId, inherits: { plan: { policy: 'team' } } },
    ]);
  });

  test('an edited call among questions of which one is answered is refused, and changes nothing', () => {
    const holds = [asked(1), asked(2)];
    const [one = asked(1), two = asked(2)] = holds;
    const { state } = decide(aTask({ phase: 'holding', holds }), two, { approved: true });
    const refused = decide(state, one, edited);
    expect(refused).toMatchObject({ effects: [], reply: { code: 'edit_under_other_policy' } });
    expect(refused.state).toBe(state);
  });

  // Promise Y33
  test('of any votes and edits no receipt is for arguments that were not judged under its policy', () => {
    const answer = fc.record({ by: fc.constantFrom('ana', 'ben', 'cy'), amount: fc.integer({ min: 1, max: 2000 }) });
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 6 }), fc.integer({ min: 1, max: 2 }), (answers, quorum) => {
        const hold = asked(1, { quorum });
        let state = aTask({ phase: 'holding', holds: [{ ...hold, audience: ['user:ana', 'user:ben', 'user:cy'] }] });
        for (const { by, amount } of answers) {
          if (state.phase !== 'holding') break;
          const before = state;
          ({ state } = decide(before, hold, { approved: true, editedArgs: { amount } }, aPrincipal(by)));
          const closed = state.send.kind === 'answers' ? state.send.answers[0]?.closed : undefined;
          if (closed === undefined) continue;
          const hashes: string[] = [];
          const row = aDigestedRow(hold);
          const claims = receiptClaims(
            { issuer: 'i', agent: 'a2a:a', a2aTaskId: null, hold: row, closed: provedAgain(row, closed), from: 'row' },
            (text) => (hashes.push(text), text),
            prover,
          );
          const sum = Number(/"amount":(\d+)/u.exec(claims?.tool?.argsHash ?? '')?.[1]);
          expect(sum).toBeLessThanOrEqual(1000);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
