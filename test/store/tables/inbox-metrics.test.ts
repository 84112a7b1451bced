import { expect, test } from '@jest/globals';
import type { HoldFilter } from '../../../src/store/tables/holds/hold-filter.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, aTask, decidedBy, onEachDatabase, upTo } from '../stores.ts';

const hourMs = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

onEachDatabase(({ store }) => {
  test('figures are empty while nothing has happened', async () => {
    const now = { open: 0, overdue: 0, unclaimed: 0, expiringWithinHour: 0, reassignAsked: 0 };
    expect(await store().holds.metrics(hourMs)).toEqual({ now, policies: [], agents: [] });
  });

  // Promise S25
  test('figures tell what waits now and how holds and agents fared since, and each lists what it counts', async () => {
    const base = aHold();
    const hold = (kind: HoldRow['question']['kind'], policy: string, over: Partial<HoldRow> = {}): HoldRow =>
      aHold({
        question: { ...base.question, kind, defaults: kind === 'tool_call' ? { editedArgs: { b: 1, a: [2] } } : {} },
        plan: { ...base.plan, policy },
        openedAt: ago(hourMs),
        expiresAt: null,
        ...over,
      });
    const openNow = [
      hold('form', 'slow', { expiresAt: ago(1_000), claim: { by: 'user:ana', at: ago(0) } }),
      hold('form', 'slow', { expiresAt: ago(-hourMs / 2) }),
      hold('operator', 'slow', {
        expiresAt: ago(-2 * hourMs),
        reassignAsks: [{ at: ago(0), by: 'bob', note: null }],
      }),
    ];
    const decided = upTo(11).map(() => hold('tool_call', 'money'));
    const late = hold('confirmation', 'money');
    const refused = hold('confirmation', 'money');
    const old = hold('confirmation', 'money', { openedAt: ago(50 * hourMs) });
    await store().holds.putOnce([...openNow, ...decided, late, refused, old]);
    for (const [index, row] of decided.entries()) {
      const at = new Date(Date.parse(row.openedAt) + (index + 1) * 1_000).toISOString();
      const values = index === 0 ? { approved: true, editedArgs: { b: 2 } } : { editedArgs: { a: [2], b: 1 } };
      await store().holds.close(row.holdId, decidedBy('user:ana', at, index === 1 ? {} : values));
    }
    const step = { stepsTaken: 1, audience: ['role:lead'], nextStep: null };
    await store().holds.step(late.holdId, { ...step, done: { at: ago(0), do: 'escalate', to: ['role:lead'] } });
    const clock = { by: 'policy:money', at: ago(0), why: 'expired' as const };
    await store().holds.close(late.holdId, { ...decidedBy('policy:money'), ended: clock });
    const no = { by: 'user:ana', at: new Date(Date.parse(refused.openedAt) + 6_000).toISOString() };
    await store().holds.close(refused.holdId, { ...decidedBy('user:ana'), ended: { ...no, why: 'declined' } });
    await store().tasks.put(aTask({ agent: 'expenses' }), ago(hourMs));
    await store().tasks.put(aTask({ agent: 'idle' }), ago(hourMs));
    await store().tasks.put(aTask({ agent: 'idle' }), ago(50 * hourMs));

    const figures = await store().holds.metrics(24 * hourMs);
    expect(figures.now).toEqual({ open: 4, overdue: 1, unclaimed: 3, expiringWithinHour: 1, reassignAsked: 1 });
    const none = { decided: 0, expired: 0, escalated: 0, rejected: 0 };
    expect(figures.policies).toEqual([
      {
        policy: 'money',
        count: 13,
        open: 0,
        decided: 12,
        expired: 1,
        escalated: 1,
        rejected: 1,
        decisionMs: { p50: 6_000, p90: 9_900, p99: 10_890 },
      },
      { policy: 'slow', count: 2, open: 2, ...none, decisionMs: null },
    ]);
    expect(figures.agents).toEqual([
      { agent: 'expenses', tasks: 1, asks: 15, approvals: 11, approvedUnchanged: 10 },
      { agent: 'idle', tasks: 1, asks: 0, approvals: 0, approvedUnchanged: 0 },
    ]);

    const behind = async (filter: HoldFilter): Promise<number> => (await store().holds.list(filter)).items.length;
    for (const metric of ['open', 'overdue', 'unclaimed', 'expiringWithinHour', 'reassignAsked'] as const)
      expect([metric, await behind({ metric })]).toEqual([metric, figures.now[metric]]);
    for (const of of figures.policies) {
      const asked = { policy: of.policy, askedSinceMs: 24 * hourMs };
      expect(await behind(asked)).toBe(of.count);
      for (const figure of ['open', 'decided', 'expired', 'escalated', 'rejected'] as const)
        expect([of.policy, figure, await behind({ ...asked, metric: figure })]).toEqual([
          of.policy,
          figure,
          of[figure],
        ]);
    }
    for (const of of figures.agents) {
      const asked = { agent: of.agent, askedSinceMs: 24 * hourMs };
      expect(await behind(asked)).toBe(of.asks);
      for (const figure of ['approvals', 'approvedUnchanged'] as const)
        expect(await behind({ ...asked, metric: figure })).toBe(of[figure]);
    }
  });

  // Promise Q43
  test('a question that is kept open counts as overdue once its time is over', async () => {
    const base = aHold();
    const kept = (overdueAt: string): HoldRow =>
      aHold({ expiresAt: null, plan: { ...base.plan, then: 'keep-open', expiresAt: null, overdueAt } });
    const before = (await store().holds.metrics(hourMs)).now;
    await store().holds.putOnce([kept(ago(1_000)), kept(ago(-hourMs))]);
    const { now } = await store().holds.metrics(hourMs);
    expect(now.overdue - before.overdue).toBe(1);
    expect(now.expiringWithinHour).toBe(before.expiringWithinHour);
  });
});
