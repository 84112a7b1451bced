// Acts on many questions at once, against the api on a real database, each run as the program runs it.
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { actList } from '../../src/contract/acts/act-names.ts';
import type { AmendCommand, DecideCommand } from '../../src/contract/holds/decision.ts';
import { PolicySchema } from '../../src/contract/configuration/policy.ts';
import { refuse } from '../../src/core/base/errors.ts';
import { runInProcess, type CommandRun } from '../rigs/product/command.ts';
import { planLadder } from '../../src/core/policy/ladder.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { aHold, aQuestion, aTask, fakeTasks, freshThread, keys, takeEverything } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';

let url = '';
/** Of each test: no other's questions match. */
let policy = '';
let amended: AmendCommand[] = [];
let decided: DecideCommand[] = [];
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  takeEverything(rig);
  const { amend, decide } = rig.tasks;
  [amended, decided, policy] = [[], [], `p-${randomUUID()}`];
  rig.tasks.amend = async (task, source) => (amended.push(source), amend(task, source));
  rig.tasks.decide = async (task, source) => (decided.push(source), decide(task, source));
});

async function run(
  args: string[],
  { who = 'op', typed }: { who?: keyof typeof keys; typed?: string | (() => Promise<string>) } = {},
): Promise<CommandRun> {
  const command = ['holds', '--policy', policy, ...args, '--url', url, '--api-key', keys[who]];
  if (typed === undefined) return runInProcess(command);
  return runInProcess(command, { typed: async () => (typeof typed === 'string' ? typed : typed()) });
}

/** A command of its own, as JSON. */
const one = async (args: string[]): Promise<CommandRun> => {
  const { code, out, err } = await runInProcess([...args, '--json', '--url', url, '--api-key', keys.op]);
  // An error is JSON, too.
  return { code, out: out + err, err: '' };
};

/** The name of the set that matches, as the act prints it. */
const nameOf = async (args: string[], as: { who?: keyof typeof keys } = {}): Promise<string> =>
  /--confirm (\S+)/u.exec((await run(args, as)).out)?.[1] ?? 'nothing matches';

const yesNo = { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] };
async function asked(rules: object = {}, change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> {
  const plan = planLadder(policy, PolicySchema.parse(rules), new Date().toISOString());
  return aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
    audience: ['role:finance'],
    question: aQuestion({ kind: 'confirmation', schema: yesNo, title: 'Delete 3 drafts?' }),
    plan,
    expiresAt: plan.expiresAt,
    ...change,
  });
}

describe('holds reapply', () => {
  test('holds reapply says with --dry-run what would become of each question, and does it once their number is confirmed', async () => {
    rig.config.policies[policy] = PolicySchema.parse({ audience: ['role:lead'] });
    const { expenses } = rig.config.agents;
    if (expenses !== undefined) rig.config.agents['expenses'] = { ...expenses, policy };
    await asked();
    const preview = await run(['reapply', '--dry-run']);
    expect(preview).toMatchObject({
      code: null,
      out: expect.stringMatching(/asks role:finance → .*asks role:lead\n1 open question matches: 1-[0-9a-f]{12}\n$/),
    });
    expect(amended).toEqual([]);
    expect(await run(['reapply', '--confirm', await nameOf(['reapply'])])).toMatchObject({
      code: null,
      out: 'done: 1 of 1\n',
    });
    expect(amended).toMatchObject([{ kind: 'reapply', audience: ['role:lead'], principal: { id: 'op' } }]);
  });
});

describe('an act on many questions at a terminal', () => {
  // Promise TE14
  test('an act on many questions at a terminal changes nothing without a confirmation: it says how many match, and how to go on', async () => {
    await asked();
    await asked();
    const { code, out } = await run(['extend', '--by', '4h']);
    const next = /^2 open questions match; --confirm 2-[0-9a-f]{12} to extend them\n$/u;
    expect([code, out]).toEqual([null, expect.stringMatching(next)]);
    expect(amended).toEqual([]);
  });

  // Promise TE14
  test('an act on many questions at a terminal is done once their number is given, by a flag or typed', async () => {
    await asked();
    await asked();
    const extend = ['extend', '--by', '4h', '--note', 'audit week'];
    expect(await run([...extend, '--confirm', await nameOf(extend)])).toMatchObject({
      code: null,
      out: 'done: 2 of 2\n',
    });
    const { out, err } = await run(['reassign', 'user:ben'], { typed: '2' });
    expect(err).toContain('2 open questions match. Type their number to reassign them: ');
    expect(out).toBe('done: 2 of 2\n');
    expect(amended.map(({ kind, principal }) => [kind, principal.id])).toEqual([
      ['extend', 'op'],
      ['extend', 'op'],
      ['reassign', 'op'],
      ['reassign', 'op'],
    ]);
    expect(amended).toMatchObject([{ note: 'audit week' }, { note: 'audit week' }, { to: ['user:ben'] }, {}]);
  });

  // Promise TE14
  test('an act on many questions at a terminal cancels the task of each, whatever a policy says of its deadline', async () => {
    const holds = [await asked(), await asked({ extend: 'none' })];
    const cancelled: string[] = [];
    rig.tasks.cancel = async ({ taskId }, by) => {
      cancelled.push(`${taskId} by ${by}`);
      await rig.store.tasks.update(taskId, { status: 'CANCELED' });
      return { kind: 'answer', value: null };
    };
    expect(await run(['cancel', '--confirm', await nameOf(['cancel'])])).toMatchObject({
      code: null,
      out: 'done: 2 of 2\n',
    });
    expect(new Set(cancelled)).toEqual(new Set(holds.map(({ taskId }) => `${taskId} by op`)));
  });

  // Promise TE14
  test('an act on many questions at a terminal is refused for another number or set, and changes nothing', async () => {
    await asked();
    const typed = await run(['extend', '--by', '4h'], { typed: 'y' });
    expect([typed.code, typed.err]).toEqual([5, expect.stringContaining('y was typed: nothing was changed')]);
    expect((await run(['cancel', '--confirm', '1'])).code).toBe(5);
    // Another set of as many.
    const name = await nameOf(['cancel']);
    expect((await run(['cancel', '--confirm', name.replace(/.$/u, (last) => (last === '0' ? '1' : '0'))])).code).toBe(
      5,
    );
    expect(amended).toEqual([]);
  });

  test('an act on many questions at a terminal names each question that stayed as it was, and why, and fails', async () => {
    await asked();
    const fixed = await asked({ extend: 'none' });
    const { code, out, err } = await run(['extend', '--by', '4h', '--confirm', await nameOf(['extend', '--by', '4h'])]);
    expect([code, out]).toEqual([1, 'done: 1 of 2\n']);
    expect(err).toContain(`1 of 2 stayed as they were:\n  ${fixed.holdId.slice(0, 8)}`);
    expect(err).toContain('allows no later deadline');
  });

  test('an act on many questions at a terminal says with --json what became of each', async () => {
    const hold = await asked();
    const preview = JSON.parse((await run(['extend', '--by', '4h', '--json'])).out) as { setName: string };
    expect(preview).toMatchObject({ count: 1, applied: false });
    const { out } = await run(['extend', '--by', '4h', '--json', '--confirm', preview.setName]);
    expect(JSON.parse(out)).toMatchObject({ applied: true, results: [{ id: hold.holdId, ok: true }] });
  });
});

describe('many answers at a terminal', () => {
  // Promise TE15
  test('list the questions first, and name each by the digest that was listed, in the name of who answers', async () => {
    const holds = [await asked(), await asked()];
    const { out, err } = await run(['answer', '--approve'], { who: 'fin', typed: '2' });
    expect(out.match(/Delete 3 drafts\?/g)).toHaveLength(2);
    expect(err).toContain('Type their number to approve them');
    expect(decided.map(({ principal, source }) => [principal.id, source])).toEqual([
      ['fin', 'bulk'],
      ['fin', 'bulk'],
    ]);
    expect(new Set(decided.map(({ entry }) => entry.digest))).toEqual(new Set(holds.map(({ digest }) => digest)));
    expect(decided[0]?.entry.values).toEqual({ confirmed: true });
  });

  // Promise TE15
  test('many answers at a terminal are those of who gives them, and say where the workflow lets somebody decide nothing', async () => {
    const { holdId } = await asked();
    rig.tasks.decide = async (_task, source) => {
      decided.push(source);
      return { kind: 'refusal', refusal: refuse('not_allowed_to_decide', 'op may not decide this') };
    };
    const act = ['answer', '--reject', '--reason', 'no'];
    const { code, err } = await run([...act, '--confirm', await nameOf(act)]);
    expect([code, err]).toEqual([1, expect.stringContaining('not_allowed_to_decide: op may not decide this')]);
    expect(decided.map(({ principal }) => principal.id)).toEqual(['op']);
    expect((await rig.store.holds.get(holdId))?.status).toBe('open');
  });

  // Promise TE15
  test('many answers at a terminal are a no with its reason, too', async () => {
    await asked();
    const act = ['answer', '--reject', '--reason', 'too late'];
    const { code, out } = await run([...act, '--confirm', await nameOf(act, { who: 'fin' })], { who: 'fin' });
    expect([code, out]).toEqual([null, expect.stringContaining('done: 1 of 1\n')]);
    expect(decided).toMatchObject([{ entry: { status: 'resolved', values: { confirmed: false } } }]);
  });

  // Promise Y47
  test('many answers at a terminal are not given under another policy than the one that was listed', async () => {
    const [hold, same] = [await asked(), await asked()];
    const typed = async (): Promise<string> => {
      const plan = { ...hold.plan, quorum: 2 };
      const { audience, nextStep, asking } = hold;
      await rig.store.holds.amend(hold.holdId, { votes: [], audience, plan, nextStep, asking });
      await asked();
      return '2';
    };
    const { code, out, err } = await run(['answer', '--approve'], { who: 'fin', typed });
    expect([code, out]).toEqual([1, expect.stringContaining('done: 1 of 2\n')]);
    expect(err).toContain(`${hold.holdId} changed_meanwhile: its policy`);
    expect(decided.map(({ entry }) => entry.hold)).toEqual([same.holdId]);
  });

  test('many answers at a terminal leave forms to be answered one by one', async () => {
    const form = await asked({}, { question: aQuestion() });
    const act = ['answer', '--approve'];
    const { code, err } = await run([...act, '--confirm', await nameOf(act, { who: 'fin' })], { who: 'fin' });
    expect([code, err]).toEqual([1, expect.stringContaining('a question of kind form is answered alone')]);
    expect((await rig.store.holds.get(form.holdId))?.status).toBe('open');
  });

  test('many answers at a terminal are either yes or no', async () => {
    expect((await run(['answer'], { who: 'fin' })).code).toBe(2);
    expect((await run(['answer', '--approve', '--reject'], { who: 'fin' })).code).toBe(2);
  });
});

describe('one question at a terminal', () => {
  test('one question at a terminal is extended by a length or until a time, with a note', async () => {
    const { holdId } = await asked({}, { expiresAt: '2099-01-01T00:00:00.000Z' });
    const { out } = await one(['extend', holdId, '--by', '4h', '--note', 'audit week']);
    expect(JSON.parse(out)).toMatchObject({ id: holdId, expiresAt: '2099-01-01T04:00:00.000Z' });
    await one(['extend', holdId, '--until', '2099-02-01T00:00:00Z']);
    expect(amended).toMatchObject([
      { kind: 'extend', hold: holdId, note: 'audit week', principal: { id: 'op' } },
      { kind: 'extend', until: '2099-02-01T00:00:00.000Z', note: null },
    ]);
  });

  test('one question at a terminal is passed on to those who are named', async () => {
    const { holdId } = await asked();
    expect(JSON.parse((await one(['reassign', holdId, 'user:ben', 'role:finance'])).out)).toMatchObject({ id: holdId });
    expect(amended).toMatchObject([{ kind: 'reassign', to: ['user:ben', 'role:finance'] }]);
  });
});

describe('an act of the table at a terminal', () => {
  const ofOne = actList.filter((act) => act.command !== undefined && act.one !== null);
  const given: Record<string, string[]> = {
    reassign: ['user:ben'],
    extend: ['--until', '2099-02-01T00:00:00Z'],
    snooze: [new Date(Date.now() + 3_600_000).toISOString()],
    comment: ['Who knows more?'],
  };

  test.each(ofOne)('an act of the table at a terminal is a command: $name reaches its route', async ({ name, who }) => {
    const { holdId } = await asked({}, { expiresAt: '2099-01-01T00:00:00.000Z' });
    const { code, out } = await one([name, holdId, ...(given[name] ?? [])]);
    // An operator may do all but what is for those who are asked, and for those who only see the question.
    const isRefused = who === 'deciders' || who === 'bystanders';
    expect([name, code]).toEqual([name, isRefused ? 4 : null]);
    if (isRefused) expect(JSON.parse(out)).toMatchObject({ error: { message: expect.stringContaining('only ') } });
  });
});

test('a word after holds that is not an act of it is refused', async () => {
  expect((await run(['extent'])).code).toBe(2);
});
