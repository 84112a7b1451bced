// A decision that can be taken back for a moment: a timer of the workflow sends it, and nothing else does.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { arrivalsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { anna, answer, bob, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
const audience = ['role:finance', 'role:finance-lead', 'owner'];
const [long, short] = [{ agent: 'long' }, { agent: 'short' }];
const green = { colour: 'green' };

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { long: { policy: 'long' }, short: { policy: 'short' } },
    // The first turns of a file compete for the machine: a slow one must not become an unconfirmed message.
    timing: { sendForMs: 10_000 },
    policies: { long: { audience, grace: '10m' }, short: { audience, grace: '1s' } },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

describe('a decision under a policy with a grace', () => {
  test.concurrent('a decision under a policy with a grace waits in the workflow, and its row and Temporal’s page say until when', async () => {
    const task = await core.engine.open('form => complete', long);
    const hold = await task.asked();
    const sendAt = expect.any(String);
    const value = { decision: { by: 'anna' }, sendAt };
    const result = await task.decide(answer(hold, green), anna);
    if (result.kind !== 'answer') throw new Error(JSON.stringify(result));
    expect(result.value).toMatchObject(value);
    await waitFor(async () => Boolean((await task.hold()).outgoing), 10_000, 'the row to say so');
    expect(await task.hold()).toMatchObject({
      status: 'open',
      decision: null,
      outgoing: { decision: { by: 'anna', values: green } },
    });
    expect(await task.details()).toContain('decided by anna; it is sent at');
    expect(await arrivalsOf(core.agent, task.messageId(2))).toEqual([]);
  });

  test.concurrent('a decision under a policy with a grace is sent after it, once', async () => {
    const task = await core.engine.open('form => complete', short);
    const result = await task.decide(answer(await task.asked(), green), anna);
    if (result.kind !== 'answer') throw new Error(JSON.stringify(result));
    await task.status('DONE');
    const sent = await arrivalsOf(core.agent, task.messageId(2));
    expect(sent).toHaveLength(1);
    expect(formAnswersOf(sent[0])).toMatchObject([{ values: green }]);
    expect(await task.hold()).toMatchObject({ status: 'decided', outgoing: null, decision: { by: 'anna' } });
  });

  test.concurrent('a decision under a policy with a grace is taken back by its author, and another answer goes to the agent', async () => {
    const task = await core.engine.open('form => complete', long);
    const hold = await task.asked();
    await task.decide(answer(hold, green), anna);
    expect(await task.amend({ hold: hold.holdId, kind: 'undo' }, bob)).toBe('not_allowed_to_decide');
    expect(await task.amend({ hold: hold.holdId, kind: 'undo' }, anna)).toMatchObject({ holdId: hold.holdId });
    await waitFor(async () => (await task.hold()).outgoing === null, 10_000, 'the row to be as before');
    expect(await task.hold()).toMatchObject({ status: 'open', decision: null, expiresAt: hold.expiresAt });
    const resume = [answer(hold, { colour: 'red' })];
    await task.run('again', { resume });
    await task.status('DONE');
    const sent = await arrivalsOf(core.agent, task.messageId(2));
    expect(sent.map((one) => formAnswersOf(one)[0]?.values)).toEqual([{ colour: 'red' }]);
  });

  // Promise Y89
  test.concurrent('a decision under a policy with a grace that is taken back is its author’s draft by then, also where an operator took it back', async () => {
    const task = await core.engine.open('form => complete', long);
    const hold = await task.asked();
    await task.decide(answer(hold, green), anna);
    const drafts = (id: string) => core.engine.store.drafts.get(hold.holdId, id);
    await waitFor(async () => (await task.hold()).outgoing !== null, 10_000, 'the row to have the answer');
    expect(await drafts('anna')).toBeNull();
    await task.amend({ hold: hold.holdId, kind: 'undo' }, { ...bob, roles: ['finance-lead', 'operator'] });
    // One transaction: the row that shows the question open again has the draft with it.
    await waitFor(async () => (await task.hold()).outgoing === null, 10_000, 'the row to be as before');
    expect(await drafts('anna')).toMatchObject({ values: green });
    expect(await drafts('bob')).toBeNull();
  });

  // Promise P22
  test.concurrent('a decision under a policy with a grace is either sent or taken back, when both come at one moment', async () => {
    const tasks = await Promise.all(Array.from({ length: 6 }, () => core.engine.open('form => complete', short)));
    const results = await Promise.all(
      tasks.map(async (task, index) => {
        const hold = await task.asked();
        const taken = await task.decide(answer(hold, green), anna);
        if (taken.kind !== 'answer') throw new Error(taken.kind);
        // Asked twice on a busy machine, it may be sent by the second answer.
        const { sendAt } = taken.value;
        const dueMs = sendAt === undefined ? Date.now() : Date.parse(sendAt);
        // Some before the timer, some with it, some after.
        const atMs = dueMs + (index - 3) * 15;
        await waitFor(() => Date.now() >= atMs, 10_000, 'the moment at which the timer fires');
        const undone = await task.amend({ hold: hold.holdId, kind: 'undo' }, anna);
        if (typeof undone !== 'string') {
          await waitFor(async () => (await task.hold()).outgoing === null, 10_000, 'the row to follow');
          expect(await task.hold()).toMatchObject({ status: 'open' });
          return { isUndone: true, sent: await arrivalsOf(core.agent, task.messageId(2)) };
        }
        await task.status('DONE');
        return { isUndone: false, sent: await arrivalsOf(core.agent, task.messageId(2)) };
      }),
    );
    for (const { isUndone, sent } of results) expect(sent).toHaveLength(isUndone ? 0 : 1);
  });
});
