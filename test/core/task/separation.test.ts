// Separation of duties cannot be bypassed: neither by passing a question on, nor by Temporal's own tools.
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { temporalOperatorId } from '../../../src/core/policy/audience.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import { aDecideCommand, after, aHold, anAnswer, aPrincipal, aQuestion, aTask, aWord } from '../../rigs/factories.ts';

type Policy = z.input<typeof PolicySchema>;
const holding = (policy: Policy, kind: 'form' | 'text' = 'form'): TaskState =>
  aTask({ phase: 'holding', holds: [aHold({ policy, question: aQuestion({ kind }) })] });
const opal = aPrincipal('opal', 'operator');

// Promise T8
describe('a question is passed on', () => {
  const move = (policy: Policy, to: string[], within: Record<string, string> = {}): Outcome => {
    const state = holding(policy);
    const hold = state.holds[0]?.holdId ?? '';
    const command = {
      kind: 'reassign' as const,
      hold,
      principal: opal,
      receivedAt: after('1m'),
      to,
      note: null,
      within,
    };
    return reduce(state, { type: 'amend', command }, after('1m'));
  };
  const fourEyes: Policy = {
    audience: ['role:finance'],
    exclude: ['requester'],
    ladder: [{ after: '1h', escalate: ['role:lead'] }],
  };

  test.each<[string, Policy, string[], string | null]>([
    ['within a policy of four eyes', fourEyes, ['role:lead'], null],
    ['out of a policy of four eyes', fourEyes, ['user:mate'], 'forbidden'],
    ['out of a quorum', { audience: ['role:finance'], quorum: 2 }, ['user:mate'], 'forbidden'],
    ['out of four eyes that allow it', { ...fourEyes, reassign: 'anyone' }, ['user:mate'], null],
    ['where nobody may', { audience: ['role:finance'], reassign: 'none' }, ['role:finance'], 'forbidden'],
    ['out of a policy without either', { audience: ['role:finance'] }, ['user:mate'], null],
    [
      'out of a policy that says within',
      { audience: ['role:finance'], reassign: 'within' },
      ['user:mate'],
      'forbidden',
    ],
    ['to a mixture', fourEyes, ['role:lead', 'user:mate'], 'forbidden'],
  ])('a question is passed on by an operator %s: %#', (_how, policy, to, code) => {
    const { state, reply } = move(policy, to);
    if (code === null) expect(state.holds[0]?.audience).toEqual(to);
    else expect([reply, state.holds[0]?.audience]).toMatchObject([{ ok: false, code }, ['role:finance']]);
  });

  test('a question is passed on to a user whom the policy asks by a role, and by no entry it does not have', () => {
    expect(move(fourEyes, ['user:fin'], { 'user:fin': 'role:finance' }).reply).toMatchObject({ ok: true });
    expect(move(fourEyes, ['user:fin'], { 'user:fin': 'role:made-up' }).reply).toMatchObject({ code: 'forbidden' });
    expect(move(fourEyes, ['user:fin'], 'role:finance' as never).reply).toMatchObject({ code: 'forbidden' });
  });
});

// Promise T9
describe('Temporal’s own tools', () => {
  const temporal = { id: temporalOperatorId, roles: ['operator'], isSuper: true };
  const signal = (state: TaskState): Outcome => {
    const command = aDecideCommand(anAnswer(state.holds[0]), { principal: temporal, source: 'signal' });
    return reduce(state, { type: 'decide', command }, after('2m'));
  };

  test('Temporal’s own tools decide nothing where the installation does not let them', () => {
    const [hold] = holding({}).holds;
    const state = aTask({
      phase: 'holding',
      holds: hold ? [{ ...hold, plan: { ...hold.plan, byTemporal: false } }] : [],
    });
    const outcome = signal(state);
    expect(outcome.reply).toMatchObject({
      code: 'not_allowed_to_decide',
      message: expect.stringContaining('temporal.answers'),
    });
    expect(outcome.state).toBe(state);
    expect(signal(holding({})).reply).toMatchObject({ ok: true });
  });

  test.each<[string, Policy]>([
    ['the requester is left out', { audience: ['role:finance'], exclude: ['requester'] }],
    ['several must agree', { audience: ['role:finance'], quorum: 2 }],
  ])('Temporal’s own tools neither decide nor vote where %s', (_why, policy) => {
    const state = holding(policy);
    const outcome = signal(state);
    expect(outcome.reply).toMatchObject({
      ok: false,
      code: 'not_allowed_to_decide',
      message: expect.stringContaining('standfast decide'),
    });
    expect(outcome.state).toBe(state);
    const text = holding(policy, 'text');
    const answered = reduce(text, { type: 'message', command: aWord('yes', { principal: temporal }) }, after('2m'));
    expect([answered.reply, answered.state]).toMatchObject([{ code: 'not_allowed_to_decide' }, text]);
  });

  test('Temporal’s own tools decide what asks for no particular person', () => {
    expect(signal(holding({ audience: ['role:finance'] })).reply).toMatchObject({ ok: true });
  });
});
