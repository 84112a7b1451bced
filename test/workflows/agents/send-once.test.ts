import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent, Fault } from '../../rigs/agents/agent.ts';
import { arrivalsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const supervisor = createSupervisor();
let core: Core;
/** Does not show which messages it got. */
let shy: FakeAgent;
/** Not running at first. */
let late: FakeAgent;

beforeAll(async () => {
  const settings = { hideHistory: true, noListTasks: true };
  [shy, late] = await Promise.all([startFakeAgent(supervisor, { settings }), startFakeAgent(supervisor)]);
  await late.stop();
  core = await startCore(supervisor, {
    agents: {
      // The same agent under a name nothing is known of yet.
      unproven: {},
      shy: { url: shy.url },
      safe: { url: shy.url, resend: 'safe' },
      late: { url: late.url },
    },
  });
  const proof = await core.engine.open('complete');
  await proof.status('DONE');
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

/** A script that carries a mark, so that a fault can be armed for this task alone. */
let marks = 0;
const marked = (script: string): { mark: string; text: string } => {
  marks += 1;
  const mark = `mark-${marks}-`;
  return { mark, text: `say ${mark}; ${script}` };
};

const lost: [string, Fault][] = [
  ['was dropped', { do: 'drop-response' }],
  ['never came', { do: 'delay-headers' }],
  ['was cut after the headers', { do: 'mute', after: 0 }],
];

describe('a message that the agent has', () => {
  test.concurrent.each(lost)(
    'a message that the agent has and whose answer %s is not sent again',
    async (_what, fault) => {
      const { mark, text } = marked('stream 4 1; form => complete');
      await core.agent.arm({ ...fault, match: mark });
      const task = await core.engine.open(text);
      const hold = await task.asked();
      expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
      const { a2aTaskId } = await task.row();
      const artifact = (await task.view()).messages.find(({ id }) => id === `artifact:${a2aTaskId}:reply`);
      expect(artifact).toMatchObject({ content: 't1 t2 t3 t4 ' });
      await task.decide(answer(hold, { colour: 'green' }));
      await task.status('DONE');
    },
  );

  test.concurrent.each(lost)(
    'an answer that the agent has, and whose reply %s, is not sent again',
    async (_what, fault) => {
      const task = await core.engine.open('form => stream 3 1; complete');
      const hold = await task.asked();
      const note = `note-${task.threadId}-`;
      await core.agent.arm({ ...fault, match: note });
      await task.decide(answer(hold, { colour: 'green', note }));
      expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
      expect(await arrivalsOf(core.agent, task.messageId(2))).toHaveLength(1);
    },
  );

  test.concurrent('a further word to a working task that the agent has is not sent again', async () => {
    const task = await core.engine.open('stream 2 1; gate word; complete');
    await core.agent.atGate('word');
    await core.agent.arm({ do: 'drop-response', match: 'psst-once' });
    await task.run('word', { message: 'psst-once' });
    expect(await task.runEnded('word')).toMatchObject({ status: 'success' });
    expect(await arrivalsOf(core.agent, task.injectedMessageId('word'))).toHaveLength(1);
    await core.agent.openGate('word');
    await task.status('DONE');
  });
});

describe('a message that the agent has not', () => {
  test.concurrent('a message that the agent has not is sent again when the agent shows that it never came', async () => {
    const { mark, text } = marked('complete');
    await core.agent.arm({ do: 'destroy', match: mark });
    const task = await core.engine.open(text);
    await task.status('DONE');
    expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
  });

  test.concurrent('an answer that the agent has not is sent again too', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const note = `note-${task.threadId}-`;
    await core.agent.arm({ do: 'destroy', match: note });
    await task.decide(answer(hold, { colour: 'green', note }));
    await task.status('DONE');
    const [sent, ...more] = await arrivalsOf(core.agent, task.messageId(2));
    expect(more).toEqual([]);
    expect(formAnswersOf(sent)).toMatchObject([{ values: { colour: 'green' } }]);
  });

  test.concurrent('a further word that the agent has not is sent again, though the task moves on without it', async () => {
    const task = await core.engine.open('stream 2 1; gate again; complete');
    await core.agent.atGate('again');
    await core.agent.arm({ do: 'destroy', match: 'psst-again' });
    await task.run('word', { message: 'psst-again' });
    expect(await task.runEnded('word')).toMatchObject({ status: 'success' });
    expect(await arrivalsOf(core.agent, task.injectedMessageId('word'))).toHaveLength(1);
    await core.agent.openGate('again');
    await task.status('DONE');
  });

  test.concurrent('a message that the agent has not waits for an agent that is not up, and reaches it once it is', async () => {
    const task = await core.engine.open('form => complete', { agent: 'late' });
    // Tried and failed at least twice.
    const isTrying = async (): Promise<boolean> => (await task.log()).length > 0;
    await waitFor(isTrying, 10_000, 'the run to begin');
    await late.restart();
    const hold = await task.asked();
    expect(await arrivalsOf(late, task.messageId(1))).toHaveLength(1);
    await late.kill9();
    await task.decide(answer(hold, { colour: 'green' }));
    await late.restart();
    await task.status('DONE');
    expect(await arrivalsOf(late, task.messageId(2))).toHaveLength(1);
  });
});

describe('an unconfirmed message', () => {
  /** A task whose first message may or may not have come, and the operators' question about it. */
  async function deliveryUnknown(agent: string, fault: Fault, script = 'complete'): Promise<TaskCase> {
    const { mark, text } = marked(script);
    await (agent === 'shy' ? shy : core.agent).arm({ ...fault, match: mark });
    const task = await core.engine.open(text, { agent });
    await task.asked();
    return task;
  }

  test.concurrent('an unconfirmed message becomes a question to operators; the run ends with delivery_unknown and no interrupt', async () => {
    const task = await deliveryUnknown('shy', { do: 'drop-response' });
    const hold = await task.asked();
    expect(hold).toMatchObject({
      interruptId: `operator-${task.taskId}-1`,
      audience: ['role:operator'],
      question: { kind: 'operator' },
    });
    expect((await task.row()).status).toBe('NEEDS_REVIEW');
    expect((await task.log()).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'delivery_unknown' });
    const resumed = await task.run('not-so', { resume: [] });
    expect(resumed).toMatchObject({ kind: 'refusal' });
    expect(await task.run('nor-so', { message: 'hello' })).toMatchObject({ refusal: { code: 'delivery_unknown' } });
    const choice = answer(hold, { choice: 'give_up' });
    const finance = aPrincipal('anna', 'finance');
    expect(await task.decide(choice, finance)).toMatchObject({ refusal: { code: 'not_allowed_to_decide' } });

    await task.decide(choice, aPrincipal('ops', 'operator'));
    expect(await task.status('FAILED')).toMatchObject({ error: { code: 'delivery_unknown' } });
    expect(await task.closed()).toBe('FAILED');
    expect(await arrivalsOf(shy, task.messageId(1))).toHaveLength(1);
  });

  test.concurrent('an unconfirmed message is sent again at an operator’s word, and the task completes', async () => {
    const task = await deliveryUnknown('shy', { do: 'destroy' }, 'form => complete');
    await task.decide(answer(await task.asked(), { choice: 'send_again' }));
    const form = await task.asked(2);
    expect(form.question.kind).toBe('form');
    expect(await task.hold(1)).toMatchObject({ status: 'decided', decision: { values: { choice: 'send_again' } } });
    expect(await arrivalsOf(shy, task.messageId(1))).toHaveLength(1);
    await task.decide(answer(form, { colour: 'green' }));
    await task.status('DONE');
  });

  test.concurrent('an unconfirmed answer is sent again at an operator’s word', async () => {
    const task = await core.engine.open('form => complete', { agent: 'shy' });
    const form = await task.asked();
    const note = `note-${task.threadId}-`;
    await shy.arm({ do: 'destroy', match: note });
    await task.decide(answer(form, { colour: 'green', note }));
    const unknown = await task.asked(2);
    expect(unknown.question.kind).toBe('operator');
    await task.decide(answer(unknown, { choice: 'send_again' }));
    await task.status('DONE');
    expect(await task.hold(2)).toMatchObject({ status: 'decided', ended: { why: 'answered' } });
    expect(await arrivalsOf(shy, task.messageId(2))).toHaveLength(1);
  });

  test.concurrent('an unconfirmed message is also one whose absence proves nothing, because the agent has shown no message from Standfast yet', async () => {
    const task = await deliveryUnknown('unproven', { do: 'destroy' });
    expect((await task.asked()).question).toMatchObject({ kind: 'operator' });
    await task.handle.cancel();
    expect(await task.closed()).toBe('CANCELLED');
  });

  test.concurrent('an unconfirmed message is sent again without asking where the agent is configured `resend: safe`', async () => {
    const { mark, text } = marked('form => complete');
    await shy.arm({ do: 'drop-response', match: mark });
    const task = await core.engine.open(text, { agent: 'safe' });
    const hold = await task.asked();
    expect(hold.question.kind).toBe('form');
    const arrivals = await arrivalsOf(shy, task.messageId(1));
    expect(arrivals.map(({ messageId }) => messageId)).toEqual([task.messageId(1), task.messageId(1)]);
    await task.decide(answer(hold, { colour: 'green' }));
    await task.status('DONE');
  });
});
