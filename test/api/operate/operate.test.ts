import type { Operations } from '../../../src/contract/views/operations.ts';
import { nextCircuit } from '../../../src/core/turn/circuit.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { AgentDetail, Overview, PolicyDetail, RecordRule } from '../../../src/contract/views/operate.ts';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, freshThread, keyConfig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const now = '2026-11-20T15:00:00.000Z';
const minuteMs = 60_000;

const rig = describeApi({
  config: {
    agents: {
      expenses: {
        url: 'http://user:secret@127.0.0.1:8701/a2a?token=secret',
        title: 'Expenses',
        policy: 'office',
        rules: [{ when: { kind: 'tool_call', data: 'amount > 1000' }, policy: 'climbing' }],
      },
      travel: { url: 'http://127.0.0.1:8702/' },
    },
    policies: {
      office: {
        audience: ['user:anna', 'role:finance'],
        calendar: { zone: 'Europe/Berlin', hours: 'Mon-Fri 09:00-17:00' },
        ladder: [{ after: '2h', remind: true, every: '4h' }],
        expire: { after: '10h', then: 'reject' },
      },
      climbing: {
        audience: ['owner'],
        quorum: 2,
        danger: true,
        grace: '30s',
        ladder: [{ after: '1h', escalate: ['agent:travel', 'role:operator'], replace: true }],
        expire: { after: '2h', then: 'fail' },
      },
    },
    users: { anna: { name: 'Anna', away: { delegate: 'user:ben' } } },
    auth: { keys: keyConfig },
  },
});
beforeAll(async () => {
  rig.setNow(now);
  await rig.store.agents.saveCard('expenses', { name: 'Expenses', skills: [{ id: 's', examples: ['Lunch'] }] });
});

async function read<T>(url: string): Promise<T> {
  const response = await rig.app.inject({ url, headers: bearer('op') });
  expect(response.statusCode).toBe(200);
  return response.json<T>();
}

describe('a policy as operators see it', () => {
  // Promise S53
  test('a policy as operators see it says who would be asked now, with those who are away and those who stand in', async () => {
    const { items } = await read<{ items: PolicyDetail[] }>('/api/policies');
    expect(items.map(({ name, isBuiltIn }) => [name, isBuiltIn])).toEqual([
      ['office', false],
      ['climbing', false],
      ['default', true],
    ]);
    expect(items[0]?.audience).toEqual([
      {
        entry: 'user:anna',
        people: [
          { id: 'anna', standsInFor: null, isAway: true },
          { id: 'ben', standsInFor: 'anna', isAway: false },
        ],
      },
      { entry: 'role:finance', people: [{ id: 'fin', standsInFor: null, isAway: false }] },
    ]);
    expect(items[1]).toMatchObject({ quorum: 2, danger: true, audience: [{ entry: 'owner', people: [] }] });
    expect(items[1]?.ladder[0]?.to).toEqual([
      { entry: 'agent:travel', people: [] },
      { entry: 'role:operator', people: [{ id: 'op', standsInFor: null, isAway: false }] },
    ]);
  });

  // Promise S53
  test('a policy as operators see it says when its ladder would climb if it were asked now, by its calendar', async () => {
    const { items } = await read<{ items: PolicyDetail[] }>('/api/policies');
    // A Friday at 16:00 in Berlin: one hour is left of the day, the next one is Monday.
    const weekendMs = (64 + 1) * 60 * minuteMs;
    expect(items[0]).toMatchObject({
      calendar: { isOpen: true, changesAt: '2026-11-20T16:00:00.000Z' },
      ladder: [{ after: '2h', atMs: weekendMs + 60 * minuteMs, do: 'remind', every: '4h' }],
      expire: { after: '10h', then: 'reject', clock: 'business' },
    });
    expect(items.map(({ grace }) => grace)).toEqual([null, '30s', null]);
    expect(items[1]).toMatchObject({
      calendar: null,
      ladder: [{ atMs: 60 * minuteMs, do: 'escalate', replace: true }],
      expire: { atMs: 120 * minuteMs, then: 'fail', clock: 'wall' },
    });
  });

  test('a policy as operators see it names the agents and the rules that lead to it', async () => {
    const { items } = await read<{ items: PolicyDetail[] }>('/api/policies');
    expect(items.map((one) => one.usedBy)).toEqual([
      [{ agent: 'expenses', when: null }],
      [{ agent: 'expenses', when: { kind: 'tool_call', data: 'amount > 1000' } }],
      [{ agent: 'travel', when: null }],
    ]);
  });
});

// Promise S53
describe('an agent as operators see it', () => {
  const agents = async (): Promise<AgentDetail[]> => (await read<{ items: AgentDetail[] }>('/api/agents')).items;

  test('an agent as operators see it is listed with its card and where it is, and never with what opens it', async () => {
    const [expenses, travel] = await agents();
    expect(expenses).toMatchObject({
      title: 'Expenses',
      url: 'http://127.0.0.1:8701/a2a',
      policy: 'office',
      skills: [{ examples: ['Lunch'] }],
      state: 'ok',
    });
    expect(expenses?.lately).toHaveLength(14);
    expect(JSON.stringify(expenses)).not.toContain('secret');
    expect(travel).toMatchObject({ title: 'travel', state: 'unread', cardSeenAt: null, lastTask: null });
  });

  test('an agent as operators see it is failing while its last task could not reach it, and well again after one that could', async () => {
    const error = { code: 'agent_unreachable', message: 'nobody listens there' };
    const failed = await aTask(rig.store, freshThread(), { agent: 'travel', status: 'FAILED', error });
    expect((await agents())[1]).toMatchObject({
      state: 'failing',
      tasks: { open: 0, done: 0, failed: 1, cancelled: 0 },
      lastFailure: { id: failed.taskId, code: 'agent_unreachable' },
    });
    await aTask(rig.store, freshThread(), { agent: 'travel', status: 'DONE' });
    expect((await agents())[1]).toMatchObject({ state: 'ok', tasks: { done: 1, failed: 1 } });
  });

  test('an agent as operators see it is away while its circuit is open, with what waits for it and its slots', async () => {
    const { circuits, workers } = rig.store;
    await circuits.change('travel', () => ({ state: 'open', cause: 'network', failures: 1, dueInMs: 60_000 }));
    const waits = {
      key: 'waits',
      taskId: 'waits',
      agent: 'travel',
      workflowId: 'w',
      firstExecutionRunId: 'x',
      resumes: 0,
      hasAnswers: true,
    };
    await circuits.wait(waits);
    const slots = { sending: 3, answering: 1, silent: 0 };
    await workers.heartbeat('w-away', { total: 5, agents: { travel: slots } });
    expect((await agents())[1]).toMatchObject({
      state: 'away',
      away: { state: 'open', cause: 'network', waiting: 1, since: expect.any(String) },
      slots,
    });
    await Promise.all([circuits.change('travel', () => null), circuits.woken([waits]), workers.leave('w-away')]);
    expect((await agents())[1]).toMatchObject({ away: null, slots: { sending: 0, answering: 0, silent: 0 } });
  });
});

describe('the overview', () => {
  beforeAll(async () => {
    rig.setNow(null);
    const startedAt = Date.now();
    const at = (minutesAgo: number): string => new Date(startedAt - minutesAgo * minuteMs).toISOString();
    const question = aQuestion({
      kind: 'tool_call',
      title: 'Approve renew?',
      tool: { callId: 'c', name: 'renew', args: {}, isEditable: false },
    });
    const plan = planLadder('office', rig.config.policies['office'] ?? PolicySchema.parse({}), at(60));
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    for (let n = 1; n <= 22; n += 1) {
      const { holdId } = await aHold(rig.store, task, { n, openedAt: at(60), expiresAt: at(-60), question, plan });
      if (n === 1) {
        const done = { at: at(40), do: 'remind' as const, to: [] };
        await rig.store.holds.step(holdId, { stepsTaken: 1, audience: ['role:finance'], nextStep: null, done });
      }
      await rig.store.holds.close(holdId, anEnd('decided', aDecision({ at: at(50), values: { approved: true } })));
    }
    const late = await aHold(rig.store, task, { n: 30, openedAt: at(60) });
    await rig.store.holds.close(late.holdId, {
      ...anEnd('expired'),
      ended: { by: 'policy:default', at: at(30), why: 'expired' },
    });
  });

  // Promise S54
  test('the overview counts what was asked and how it ended, who decided, and how far it climbed', async () => {
    const overview = await read<Overview>('/api/overview?days=7&zone=Europe/Berlin');
    expect(overview).toMatchObject({
      days: 7,
      zone: 'Europe/Berlin',
      window: { asked: 23, approved: 22, refused: 0, expired: 1, other: 0, medianMs: 10 * minuteMs },
      before: { asked: 0, medianMs: null },
      agents: [
        { agent: 'expenses', tasks: 1, asked: 23, approvals: 22, approvedUnchanged: 22 },
        { agent: 'travel', tasks: 2, asked: 0, approvals: 0, approvedUnchanged: 0 },
      ],
      deciders: [{ by: 'fin', approved: 22, refused: 0, medianMs: 10 * minuteMs }],
      funnel: { asked: 23, reminded: 1, escalated: 0, expired: 1 },
    });
    expect(overview.volume).toHaveLength(7);
    const sum = (name: 'approved' | 'expired'): number => overview.volume.reduce((all, day) => all + day[name], 0);
    expect([sum('approved'), sum('expired')]).toEqual([22, 1]);
    expect(overview.hours.reduce((all, { asked }) => all + asked, 0)).toBe(23);
  });

  test('the overview is over thirty days by default, and up to a year', async () => {
    expect(await read<Overview>('/api/overview')).toMatchObject({ days: 30, zone: 'UTC' });
    expect((await read<Overview>('/api/overview?days=365')).volume).toHaveLength(365);
  });

  test('the overview leads to the list of what was reminded of', async () => {
    const { items } = await read<{ items: unknown[] }>('/api/holds?metric=reminded&days=7');
    expect(items).toHaveLength(1);
  });

  test('the overview sees a rule in what was approved every time', async () => {
    const { items } = await read<{ items: RecordRule[] }>('/api/rule-suggestions?days=7');
    expect(items).toMatchObject([{ agent: 'expenses', title: 'Approve renew?', times: 22, replay: { asked: 22 } }]);
  });

  test.each(['days=0', 'days=366', 'days=1.5', 'days=x', 'zone=Mars/Base'])(
    'the overview refuses %s',
    async (query) => {
      const response = await rig.app.inject({ url: `/api/overview?${query}`, headers: bearer('op') });
      expect(response.json()).toMatchObject({ code: 'input_invalid', errors: [{ path: query.split('=')[0] }] });
    },
  );
});

// Promise S53
test('how the installation runs is read with service levels, slots and agents that are away, of all workers', async () => {
  const { circuits, workers } = rig.store;
  const slots = { total: 10, agents: { travel: { sending: 2, answering: 1, silent: 0 } } };
  const counts = [0, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0];
  const levels = { answer: { '["travel"]': { hour: counts, day: counts } } };
  await Promise.all(['o-1', 'o-2'].map((worker) => workers.heartbeat(worker, slots, levels)));
  const bounds = { probeEveryMs: 1, maxTrialEveryMs: 1, maxRetryAfterMs: 1 };
  const failed = { type: 'failed', cause: 'network', retryAfterMs: 0 } as const;
  await circuits.change('travel', (before) => nextCircuit(before, failed, bounds));
  const found = await read<Operations>('/api/operations');
  expect(found).toMatchObject({
    objective: 0.99,
    slots: { total: 20, agents: [{ agent: 'travel', sending: 4, answering: 2, silent: 0 }] },
    circuits: [{ agent: 'travel', state: 'open', cause: 'network', waiting: 0 }],
  });
  expect(found.workers).toBeGreaterThanOrEqual(2);
  expect(found.levels.find(({ level }) => level === 'answer')).toMatchObject({
    withinSeconds: 10,
    day: { total: 10, late: 2, p99: 60 },
    of: [{ names: ['travel'] }],
  });
  await Promise.all(['o-1', 'o-2'].map((worker) => workers.leave(worker)));
  await circuits.change('travel', () => null);
});
