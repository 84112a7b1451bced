import { describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { planHold, type PlanDeps } from '../../../src/activities/holds/plan-hold.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import { createCalendars } from '../../../src/host/calendar/calendar.ts';
import { aQuestion, openedAt, owner, taskId } from '../../rigs/factories.ts';

function worldOf(config: z.input<typeof ConfigSchema>, isFit = true, content: string | null = null): PlanDeps {
  return {
    store: { attachments: { content: () => Promise.resolve(content) } },
    config: ConfigSchema.parse(config),
    windowsOf: createCalendars(),
    checkSchema: () => Promise.resolve(isFit ? { ok: true } : { ok: false, errors: [] }),
  };
}

function planned(deps: PlanDeps, over: Partial<Question> = {}, at: string = openedAt): Promise<Hold> {
  const task = { taskId, agent: 'a', threadId: 't', workflowId: 'w', firstExecutionRunId: 'x', owner };
  const question = aQuestion(over);
  const input = { task, a2aTaskId: 'a2a-1', openedAt: at, n: 4, questions: [question, question] };
  return planHold(deps, input, question, 5);
}
const agent = (more: object = {}): { a: { url: string } } => ({ a: { url: 'http://a', ...more } });

describe('a question becomes a hold', () => {
  // Promise Y16
  test('a question becomes a hold of the rule that reads what is too long to be carried with it', async () => {
    const rules = [{ when: { data: 'amount > 10' }, policy: 'director' }];
    const whole = { at: '/tool/args', digest: 'sha256:0', bytes: 99_999, mediaType: 'application/json' } as const;
    const tool = { callId: 'c', name: 'pay', args: { padding: '[…]' }, isEditable: false };
    const config = { agents: agent({ policy: 'p', rules }), policies: { p: {}, director: {} } };
    const deps = worldOf(config, true, JSON.stringify({ padding: 'x'.repeat(70_000), amount: 900 }));
    const hold = await planned(deps, { kind: 'tool_call', tool, whole: [whole] });
    expect(hold.plan.policy).toBe('director');
    expect(hold.question.tool?.args).toStrictEqual(tool.args);
  });

  test('a question becomes a hold of its agent’s policy, with who is asked, how many and until when', async () => {
    const policy = { audience: ['role:finance'], quorum: 2, danger: true, expire: { after: '2h' } };
    const hold = await planned(worldOf({ agents: agent({ policy: 'p' }), policies: { p: policy } }));
    expect(hold).toMatchObject({
      n: 5,
      pause: { firstN: 5, count: 2 },
      audience: ['role:finance'],
      expiresAt: '2026-03-02T11:00:00.000Z',
      plan: { policy: 'p', quorum: 2, danger: true, clock: 'wall' },
    });
  });

  // Promise CO9
  test('a question becomes a hold whose interruptId names its kind of card, the task of its agent and its number', async () => {
    const deps = worldOf({ agents: agent() });
    const ids = await Promise.all(
      (['a2a.hitl.form', 'a2a.input.request'] as const).map(
        async (dialect) => (await planned(deps, { dialect })).interruptId,
      ),
    );
    expect(ids).toEqual(['hitl-a2a-1-5', 'input-a2a-1-5']);
  });

  test('a question becomes a hold of the policy of the first rule that matches it', async () => {
    const rules = [
      { when: { kind: 'tool_call' as const, data: 'amount > 1000' }, policy: 'large' },
      { when: { kind: 'tool_call' as const }, policy: 'tools' },
    ];
    const deps = worldOf({ agents: agent({ policy: 'p', rules }), policies: { p: {}, tools: {}, large: {} } });
    const tool = { callId: 'c', name: 'pay', args: { amount: 5000 }, isEditable: false };
    expect((await planned(deps, { kind: 'tool_call', tool })).plan.policy).toBe('large');
    expect((await planned(deps, { kind: 'tool_call', tool: { ...tool, args: {} } })).plan.policy).toBe('tools');
    expect((await planned(deps)).plan.policy).toBe('p');
  });

  test('a question becomes a hold of the policy that was named with it, where it came over MCP and from no agent', async () => {
    const deps = worldOf({ agents: agent({ policy: 'p' }), policies: { p: {}, named: {} } });
    const reply = { policy: 'named' };
    expect((await planned(deps, { dialect: 'ask', reply })).plan.policy).toBe('named');
    expect((await planned(deps, { reply })).plan.policy).toBe('p');
  });

  // Promise T5
  test('a question of an agent’s thread asks operators where it would ask its owner alone', async () => {
    const keys = [{ user: owner, kind: 'agent' as const, key: 'k'.repeat(40) }];
    const config = {
      agents: agent({ policy: 'p' }),
      policies: { p: {}, both: { audience: ['owner', 'role:finance'] } },
    };
    expect((await planned(worldOf({ ...config, auth: { keys } }))).audience).toEqual(['role:operator']);
    const both = { ...config, agents: agent({ policy: 'both' }), auth: { keys } };
    expect((await planned(worldOf(both))).audience).toEqual(['role:finance']);
    expect((await planned(worldOf(config))).audience).toEqual(['owner']);
  });

  test('a question becomes a hold of operators where it is theirs, whatever the rules say', async () => {
    const rules = [{ when: { title: '*' }, policy: 'p' }];
    const hold = await planned(worldOf({ agents: agent({ rules }), policies: { p: {} } }), { kind: 'operator' });
    expect(hold).toMatchObject({ audience: ['role:operator'], plan: { policy: 'default' } });
  });

  test('a question becomes a hold whose steps and expiry count opening hours where its policy has a calendar', async () => {
    const calendar = { zone: 'Europe/Berlin', hours: 'Mon-Fri 09:00-17:30', holidays: 'DE' };
    const ladder = [{ after: '30m', remind: true as const }];
    const deps = worldOf({
      agents: agent({ policy: 'p' }),
      policies: { p: { calendar, ladder, expire: { after: '1h' } } },
    });
    // The Thursday before Easter, a quarter of an hour before closing.
    expect((await planned(deps, {}, '2026-04-02T15:15:00.000Z')).plan).toMatchObject({
      steps: [{ at: '2026-04-07T07:15:00.000Z' }],
      expiresAt: '2026-04-07T07:45:00.000Z',
      clock: 'business',
    });
  });

  test('a question becomes a hold that is sent to the policy’s channels, and to those of the users it asks or who stand in for them', async () => {
    const url = 'http://127.0.0.1:1/';
    const channels = Object.fromEntries(
      ['desk', 'olgas', 'annas', 'bens', 'lenas'].map((name) => [name, { type: 'slack' as const, url }]),
    );
    const users = {
      olga: { notify: ['olgas'] },
      anna: { notify: ['annas'], away: { delegate: 'user:ben' } },
      ben: { notify: ['bens', 'desk'] },
      lena: { notify: ['lenas'] },
    };
    const policy = {
      audience: ['owner', 'user:anna', 'role:finance'],
      notify: ['desk'],
      ladder: [{ after: '1h', escalate: ['user:lena'] }],
    };
    const config = { agents: agent({ policy: 'p' }), policies: { p: policy }, users, notifications: { channels } };
    const { plan } = await planned(worldOf(config));
    expect(plan.notify).toEqual(['desk', 'olgas', 'annas', 'bens']);
    expect(plan.steps[0]?.notify).toEqual(['lenas']);
  });

  test('a question becomes a hold whose defaults the clock may give as an answer only if they are one', async () => {
    const config = {
      agents: agent({ policy: 'p' }),
      policies: { p: { expire: { after: '1h', then: 'default' as const } } },
    };
    expect((await planned(worldOf(config))).plan.defaults).toEqual({ city: 'Bonn' });
    expect((await planned(worldOf(config, false))).plan.defaults).toBeNull();
    expect((await planned(worldOf(config), { kind: 'authorization' })).plan.defaults).toBeNull();
  });
});
