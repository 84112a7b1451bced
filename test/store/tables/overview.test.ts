import { expect, test } from '@jest/globals';
import type { MetricName } from '../../../src/contract/views/inbox-names.ts';
import type { HoldFilter } from '../../../src/store/tables/holds/hold-filter.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, aTask, decidedBy, onEachDatabase, upTo } from '../stores.ts';

const hourMs = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

onEachDatabase(({ store }) => {
  test('the overview is empty while nothing has happened', async () => {
    const fate = { asked: 0, approved: 0, answered: 0, refused: 0, expired: 0, other: 0, medianMs: null };
    expect(await store().statistics.overview(hourMs)).toEqual({
      now: {
        open: 0,
        overdue: 0,
        unclaimed: 0,
        expiringWithinHour: 0,
        reassignAsked: 0,
        undecidable: 0,
        oldestAt: null,
      },
      window: fate,
      before: fate,
      policies: [],
      agents: [],
      deciders: [],
      funnel: { asked: 0, reminded: 0, escalated: 0, expired: 0 },
      waits: { byAgent: [], byEntry: [] },
    });
  });

  test('an agent that was quiet in the window has what it asked and failed in the days before it', async () => {
    const agent = 'quiet-for-days';
    await store().holds.putOnce(upTo(2).map(() => aHold({ agent, openedAt: ago(80 * hourMs) })));
    const task = aTask({ agent });
    await store().tasks.put(task, ago(100 * hourMs));
    await store().tasks.update(task.taskId, { status: 'FAILED' });
    for (const row of (await store().holds.list({ agent })).items)
      await store().holds.close(row.holdId, decidedBy('user:ana', ago(79 * hourMs)));
    const counts = (await store().statistics.agents(24 * hourMs)).find((one) => one.agent === agent);
    expect(counts?.lately.slice(-5)).toEqual(
      [0, 2, 0, 0, 0].map((asked, day) => ({ asked, failed: day === 4 ? 1 : 0 })),
    );
    // It began before, and ended today.
    expect(counts?.tasks).toEqual({ open: 0, done: 0, failed: 1, cancelled: 0 });
  });

  // Promise S25
  test('the overview counts what waits now and how holds and agents fared since, and each count lists what it counts', async () => {
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

    const overview = await store().statistics.overview(24 * hourMs);
    expect(overview.now).toMatchObject({
      open: 3,
      overdue: 1,
      unclaimed: 3,
      expiringWithinHour: 1,
      reassignAsked: 1,
      undecidable: 0,
    });
    const { agent, audience } = base;
    const waiting = [
      { policy: 'slow', count: 3, overdue: 1 },
      { policy: 'money', count: 1, overdue: 0 },
    ];
    expect(overview.waits.byAgent).toEqual(waiting.map((one) => ({ agent, ...one })));
    expect(new Set(overview.waits.byEntry)).toEqual(
      new Set(waiting.flatMap((one) => audience.map((entry) => ({ entry, ...one })))),
    );
    const lately = (await store().statistics.agents(24 * hourMs)).find((one) => one.agent === agent)?.lately ?? [];
    expect(lately).toHaveLength(14);
    // The last 24 hours are at the end; what Standfast asks operators is no question of the agent.
    expect(lately.slice(-3).map(({ asked }) => asked)).toEqual([1, 0, 15]);
    const none = { decided: 0, refused: 0, escalated: 0, expired: 0 };
    expect(overview.policies).toEqual([
      {
        policy: 'money',
        asked: 13,
        open: 0,
        decided: 12,
        refused: 1,
        escalated: 1,
        expired: 1,
        p50: 6_000,
        p90: 9_900,
        limitMs: null,
      },
      { policy: 'slow', asked: 2, open: 1, ...none, p50: null, p90: null, limitMs: expect.any(Number) },
    ]);
    expect(overview.agents).toEqual([
      { agent: 'expenses', tasks: 1, asked: 15, approvals: 11, approvedUnchanged: 10 },
      { agent: 'idle', tasks: 1, asked: 0, approvals: 0, approvedUnchanged: 0 },
    ]);

    const behind = async (filter: HoldFilter): Promise<number> => (await store().holds.list(filter)).items.length;
    for (const metric of ['open', 'overdue', 'unclaimed', 'expiringWithinHour', 'reassignAsked'] as const)
      expect([metric, await behind({ metric })]).toEqual([metric, overview.now[metric]]);
    for (const of of overview.policies) {
      const asked = { policy: of.policy, askedSinceMs: 24 * hourMs };
      expect(await behind(asked)).toBe(of.asked);
      const lists = { open: of.open, decided: of.decided, rejected: of.refused, escalated: of.escalated };
      for (const [metric, counted] of Object.entries({ ...lists, expired: of.expired }))
        expect([of.policy, metric, await behind({ ...asked, metric: metric as MetricName })]).toEqual([
          of.policy,
          metric,
          counted,
        ]);
    }
    for (const of of overview.agents) {
      const asked = { agent: of.agent, askedSinceMs: 24 * hourMs };
      expect(await behind(asked)).toBe(of.asked);
      for (const metric of ['approvals', 'approvedUnchanged'] as const)
        expect(await behind({ ...asked, metric: metric })).toBe(of[metric]);
    }
  });

  // Promise Q43
  test('a question that is kept open counts as overdue once its time is over', async () => {
    const base = aHold();
    const kept = (overdueAt: string): HoldRow =>
      aHold({ expiresAt: null, plan: { ...base.plan, then: 'keep-open', expiresAt: null, overdueAt } });
    const before = (await store().statistics.overview(hourMs)).now;
    await store().holds.putOnce([kept(ago(1_000)), kept(ago(-hourMs))]);
    const { now } = await store().statistics.overview(hourMs);
    expect(now.overdue - before.overdue).toBe(1);
    expect(now.expiringWithinHour).toBe(before.expiringWithinHour);
  });

  test('a question of a clock that is a day ahead took no time, and not less than none', async () => {
    const base = aHold();
    const early = aHold({ openedAt: ago(-25 * hourMs), plan: { ...base.plan, policy: 'ahead' }, expiresAt: null });
    await store().holds.putOnce([early]);
    await store().holds.close(early.holdId, decidedBy('user:ana', ago(0)));
    const { policies } = await store().statistics.overview(hourMs);
    expect(policies.find(({ policy }) => policy === 'ahead')).toMatchObject({ decided: 1, p50: 0, p90: 0 });
  });
});
