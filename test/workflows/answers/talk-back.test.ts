// A person asks the agent something before they decide.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import { anna, answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { hasty: { policy: 'hasty' }, lenient: { policy: 'lenient' } },
    policies: {
      hasty: { expire: { after: '8s', then: 'fail' } },
      lenient: { expire: { after: '8s', then: 'cancel' } },
    },
    config: { agentOutage: '2s' },
    timing: { reportDeliveredAfterMs: 50 },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const green = { colour: 'green' };
const talkRun = (task: TaskCase, turn: number): string => `standfast-${task.taskId}-talk-${turn}`;

/** People's messages to the agent about this task. */
async function wordsOf(task: TaskCase): Promise<string[]> {
  const { a2aTaskId } = await task.row();
  const received = (await core.agent.messages()).filter((entry) => entry.taskId === a2aTaskId);
  return received.flatMap(({ parts }) => (parts ?? []).flatMap((part) => (part as { text?: string }).text ?? []));
}

describe('a word to an agent that waits', () => {
  test.concurrent('a word to an agent that waits is the answer to a text question', async () => {
    const task = await core.engine.open('ask Which colour? => echo; complete');
    await task.asked();
    expect(await task.say('green')).toMatchObject({ kind: 'decided' });
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({ decision: { values: { text: 'green' }, source: 'chat', by: 'local' } });
    expect(await wordsOf(task)).toEqual(['green']);
  });

  test.concurrent('a word to an agent that waits before another decision is talk: the agent asks again, and the new question takes over', async () => {
    const task = await core.engine.open('form => say because; form => complete', { owner: anna });
    const old = await task.asked(1);
    await core.engine.store.holds.claim(old.holdId, { by: 'anna', at: old.openedAt });
    expect(await task.say('Why?', anna)).toMatchObject({ kind: 'asked', taskStatus: 'USER_INPUT_RECEIVED' });
    const hold = await task.asked(2);
    expect(hold).toMatchObject({
      supersedes: old.holdId,
      openedAt: old.openedAt,
      expiresAt: old.expiresAt,
      audience: old.audience,
      claim: { by: 'anna' },
    });
    expect(await task.hold(1)).toMatchObject({
      status: 'withdrawn',
      supersededBy: hold.holdId,
      ended: { by: 'agent:fake', why: 'superseded' },
      asking: false,
    });
    expect(await task.row()).toMatchObject({ status: 'NEEDS_REVIEW' });
    const log = await task.log(talkRun(task, 2));
    checkRun(log);
    expect(log.at(-1)).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ id: hold.interruptId }] } });
    expect(await task.details()).toContain(`asked again, in place of http://127.0.0.1:8600/holds/${old.holdId}`);

    const late = await task.decide(answer(old, green), anna);
    expect(late).toMatchObject({ refusal: { code: 'hold_closed', data: { supersededBy: hold.holdId } } });
    await task.decide(answer(hold, green), anna);
    await task.status('DONE');
    expect((await wordsOf(task))[0]).toBe('Why?');
  });

  // Promise Q26
  test.concurrent('a word to an agent that waits lets decisions wait until the agent has asked again; a second word is refused with busy', async () => {
    const task = await core.engine.open('form => gate pondering; form => complete');
    const old = await task.asked(1);
    await task.say('Why?');
    await core.agent.atGate('pondering');
    await task.status('IN_PROGRESS');
    expect(await task.hold(1)).toMatchObject({ status: 'open', asking: true });
    expect(await task.details()).toContain('the agent is being asked something back');
    expect(await task.say('And?')).toBe('busy');
    const waiting = task.decide(answer(old, green));
    await core.agent.openGate('pondering');
    const hold = await task.asked(2);
    expect(await waiting).toMatchObject({ refusal: { code: 'hold_closed', data: { supersededBy: hold.holdId } } });
    await task.decide(answer(hold, green));
    await task.status('DONE');
  });

  test.concurrent('lost on its way is sent again', async () => {
    await core.agent.arm({ do: 'destroy', match: 'lost-word' });
    const task = await core.engine.open('form => form => complete');
    await task.asked(1);
    await task.say('lost-word');
    await task.asked(2);
    expect(await wordsOf(task)).toEqual(['lost-word']);
  });

  // Promise Q26
  test.concurrent('a word that the agent cannot be given changes nothing: the question stays, and says so', async () => {
    await core.agent.arm({ do: 'status', status: 503, match: 'unheard-word', times: 1000 });
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    await task.say('unheard-word');
    const run = await task.runEnded(talkRun(task, 2));
    expect(run).toMatchObject({ status: 'interrupt' });
    const log = await task.log(run.runId);
    checkRun(log);
    expect(log).toContainEqual(expect.objectContaining({ type: 'CUSTOM', name: 'standfast.talk_failed' }));
    expect(await task.holds()).toMatchObject([{ status: 'open', asking: false, holdId: hold.holdId }]);
    expect(await task.row()).toMatchObject({ status: 'NEEDS_REVIEW' });
    expect(await task.details()).toContain('the agent could not be asked');
    await task.decide(answer(hold, green));
    await task.status('DONE');
  });

  test.concurrent('a word to an agent that waits may move an agent to complete its task: the question is withdrawn', async () => {
    const task = await core.engine.open('form => complete never mind');
    await task.asked();
    await task.say('Why?');
    await task.status('DONE');
    expect(await task.closed()).toBe('COMPLETED');
    expect(await task.hold()).toMatchObject({ status: 'withdrawn', ended: { by: 'agent:fake', why: 'withdrawn' } });
    checkRun(await task.log(talkRun(task, 2)));
  });

  test.concurrent('a word to a working agent is passed on', async () => {
    const task = await core.engine.open('gate at-work; complete');
    await core.agent.atGate('at-work');
    expect(await task.say('by the way')).toMatchObject({ kind: 'injected' });
    await waitFor(async () => (await wordsOf(task)).includes('by the way'), 10_000, 'the word at the agent');
    await core.agent.openGate('at-work');
    await task.status('DONE');
  });
});

describe('talking buys no time', () => {
  test.concurrent('the deadline fails the task while the agent is asked, and the agent is notified', async () => {
    const task = await core.engine.open('form => gate slow-answer; form', { agent: 'hasty' });
    await task.asked();
    await task.say('Why?');
    const { error, a2aTaskId } = await task.status('FAILED');
    expect(error).toMatchObject({ code: 'hold_expired' });
    expect(await task.closed()).toBe('FAILED');
    expect(await task.holds()).toMatchObject([{ status: 'expired', ended: { by: 'policy:hasty', why: 'expired' } }]);
    expect(await cancelsOf(core.agent, a2aTaskId)).not.toEqual([]);
  });

  test.concurrent('the deadline cancels the task while the agent is asked', async () => {
    const task = await core.engine.open('form => gate slower-answer; form', { agent: 'lenient' });
    await task.asked();
    await task.say('Why?');
    await task.status('CANCELED');
    expect(await task.closed()).toBe('CANCELLED');
    expect(await task.holds()).toMatchObject([{ status: 'expired' }]);
  });

  test.concurrent('a question asked again expires when the old one would have', async () => {
    const task = await core.engine.open('form => form => complete', { agent: 'hasty' });
    const old = await task.asked(1);
    await task.say('Why?');
    expect(await task.asked(2)).toMatchObject({ expiresAt: old.expiresAt });
    expect(await task.status('FAILED')).toMatchObject({ error: { code: 'hold_expired' } });
    expect(await task.hold(2)).toMatchObject({ status: 'expired' });
  });
});

describe('a cancel', () => {
  test.concurrent('a cancel while the agent is asked stops it, and ends the question', async () => {
    const task = await core.engine.open('form => gate asked-then-cancelled; form');
    await task.asked();
    await task.say('Why?');
    await core.agent.atGate('asked-then-cancelled');
    await task.handle.cancel();
    const { a2aTaskId } = await task.status('CANCELED');
    expect(await task.closed()).toBe('CANCELLED');
    expect(await task.holds()).toMatchObject([{ status: 'cancelled', ended: { why: 'cancelled' } }]);
    expect(await cancelsOf(core.agent, a2aTaskId)).not.toEqual([]);
  });
});
