import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { arrivalsOf, cancelsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { answer, refusal, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor);
});
afterAll(() => core?.stop());

describe('a question', () => {
  test.concurrent('a question is answered by a decision, once, in the same A2A task, and the task completes', async () => {
    const task = await core.engine.open('stream 5 5; form => stream 3; data; complete all done');
    const hold = await task.asked();
    expect(await task.row()).toMatchObject({ status: 'NEEDS_REVIEW', error: null });

    const result = await task.decide(answer(hold, { colour: 'green' }));
    expect(result).toMatchObject({ kind: 'answer', value: { holdId: hold.holdId, isRepeat: false } });

    const { a2aTaskId } = await task.status('DONE', 'FAILED');
    expect(await task.closed()).toBe('COMPLETED');
    const [sent, ...again] = await arrivalsOf(core.agent, task.messageId(2));
    expect(again).toEqual([]);
    expect(sent).toMatchObject({ taskId: a2aTaskId });
    expect(formAnswersOf(sent)).toMatchObject([{ formId: 'form-1-1', values: { colour: 'green' } }]);
    expect((await task.holds())[0]).toMatchObject({
      status: 'decided',
      decision: { by: 'local', values: { colour: 'green' } },
    });
  });

  test.concurrent('a question ends its run in the order of the contract, and the answer opens a run of its own', async () => {
    const task = await core.engine.open('stream 3 1; form => complete');
    const hold = await task.asked();
    const asked = await task.log();
    const last = asked.slice(-8).map(({ type }) => type);
    expect(last).toEqual([
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'ACTIVITY_SNAPSHOT',
      'STATE_DELTA',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    expect(asked.at(-1)).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ id: hold.interruptId }] } });

    await task.decide(answer(hold, { colour: 'red' }));
    const run = await task.runEnded(`standfast-${task.taskId}-turn-2`);
    expect(run).toMatchObject({ opener: 'standfast', status: 'success' });
    const card = (await task.view(run.runId)).messages.find(({ id }) => id === hold.interruptId);
    expect(card).toMatchObject({ content: { stage: 'completed', decision: 'answered', values: { colour: 'red' } } });
  });

  test.concurrent('a question in plain text is answered in words', async () => {
    const task = await core.engine.open('ask Which colour? => echo; complete');
    const hold = await task.asked();
    expect(hold.question).toMatchObject({ kind: 'text', message: 'Which colour?' });
    await task.decide(answer(hold, { text: 'green' }));
    await task.status('DONE');
    expect((await arrivalsOf(core.agent, task.messageId(2)))[0]?.parts).toEqual([{ text: 'green' }]);
  });

  test.concurrent('a question whose answer the agent refuses is asked again, as a new question with the agent’s complaint', async () => {
    const script = {
      turns: [[{ do: 'form' }], [{ do: 'form', errors: { note: 'too short' } }], [{ do: 'complete' }]],
    };
    const task = await core.engine.open(JSON.stringify(script));
    const first = await task.asked(1);
    await task.decide(answer(first, { colour: 'green', note: '' }));
    const second = await task.asked(2);
    expect(second.question.errors).toEqual({ note: 'too short' });
    expect(second.interruptId).not.toBe(first.interruptId);
    expect((await task.settled(first.holdId)).status).toBe('decided');
    await task.decide(answer(second, { colour: 'green', note: 'longer' }));
    await task.status('DONE');
  });

  test.concurrent('a question with a form id that was used before is still another question', async () => {
    const task = await core.engine.open('form same => form same => complete');
    const first = await task.asked(1);
    await task.decide(answer(first, { colour: 'green' }));
    const second = await task.asked(2);
    expect([first.question.formId, second.question.formId]).toEqual(['same', 'same']);
    await task.decide(answer(second, { colour: 'red' }));
    await task.status('DONE');
    const values = await Promise.all(
      [2, 3].map(async (turn) => formAnswersOf((await arrivalsOf(core.agent, task.messageId(turn)))[0])),
    );
    expect(values.flat().map((one) => one.values)).toEqual([{ colour: 'green' }, { colour: 'red' }]);
  });

  test.concurrent('a question in a pause that says nothing can be answered', async () => {
    const task = await core.engine.open('pause => complete');
    const hold = await task.asked();
    expect(hold.question.message).not.toBe('');
    await task.decide(answer(hold, { text: 'go on' }));
    await task.status('DONE');
  });
});

describe('questions asked together', () => {
  test.concurrent('questions asked together are answered by one resume, in one message', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const [one, two] = [await task.asked(1), await task.asked(2)];
    const result = await task.run('both', {
      resume: [answer(one, { colour: 'green' }), answer(two, { colour: 'red' })],
    });
    expect(result).toMatchObject({ kind: 'answer', value: { kind: 'resumed', skipped: [] } });
    expect(await task.runEnded('both')).toMatchObject({ opener: 'client', status: 'success' });
    const sent = await arrivalsOf(core.agent, task.messageId(2));
    expect(sent).toHaveLength(1);
    expect(formAnswersOf(sent[0]).map(({ formId, values }) => [formId, values])).toEqual([
      ['form-1-1', { colour: 'green' }],
      ['form-1-2', { colour: 'red' }],
    ]);
  });

  test.concurrent('questions asked together may be answered one by a decision and the rest by a resume; nothing is sent before the last', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const [one, two] = [await task.asked(1), await task.asked(2)];
    await task.decide(answer(one, { colour: 'green' }));
    expect((await task.settled(one.holdId)).status).toBe('decided');
    expect((await task.row()).status).toBe('NEEDS_REVIEW');
    expect(await arrivalsOf(core.agent, task.messageId(2))).toEqual([]);

    await task.run('rest', { resume: [answer(two, { colour: 'red' })] });
    expect((await task.runEnded('rest')).status).toBe('success');
    const [sent] = await arrivalsOf(core.agent, task.messageId(2));
    expect(formAnswersOf(sent).map(({ values }) => values)).toEqual([{ colour: 'green' }, { colour: 'red' }]);
  });

  // Promise QU5
  test.concurrent('questions asked together end with the task when all are declined and the agent cannot be sent a refusal', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const [one, two] = [await task.asked(1), await task.asked(2)];
    const { a2aTaskId } = await task.row();
    await task.decide(refusal(one, 'not us'));
    await task.decide(refusal(two, 'nor us'));
    expect(await task.status('CANCELED', 'FAILED', 'DONE')).toMatchObject({ status: 'CANCELED', error: null });
    expect(await task.closed()).toBe('CANCELLED');
    expect(await cancelsOf(core.agent, a2aTaskId)).toHaveLength(1);
    expect(await arrivalsOf(core.agent, task.messageId(2))).toEqual([]);
    expect((await task.settled(one.holdId)).decision).toMatchObject({ status: 'cancelled', reason: 'not us' });
    expect((await task.settled(two.holdId)).decision).toMatchObject({ status: 'cancelled', reason: 'nor us' });
    const run = await task.runEnded(`standfast-${task.taskId}-turn-2`);
    expect(run.status).toBe('cancelled');
  });

  test.concurrent('a resume of questions asked together, one of which was decided meanwhile, takes the rest and says which it left out', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const [one, two] = [await task.asked(1), await task.asked(2)];
    await task.decide(answer(one, { colour: 'green' }));
    const result = await task.run('late', {
      resume: [answer(one, { colour: 'red' }), answer(two, { colour: 'red' })],
    });
    const skipped = [{ interruptId: one.interruptId, code: 'hold_closed' }];
    expect(result).toMatchObject({ kind: 'answer', value: { skipped } });
    await task.runEnded('late');
    const custom = (await task.log('late')).filter(({ type }) => type === 'CUSTOM');
    expect(custom).toMatchObject([{ name: 'standfast.entry_skipped', value: skipped[0] }]);
  });
});

describe('a message into a working task', () => {
  test.concurrent('a message into a working task is passed on in the background, in a short run of its own', async () => {
    const task = await core.engine.open('stream 2 1; gate injection; complete');
    await core.agent.atGate('injection');
    const result = await task.run('more', { message: 'by the way' });
    expect(result).toMatchObject({ kind: 'answer', value: { kind: 'injected' } });
    expect(await task.runEnded('more')).toMatchObject({ isControl: true, status: 'success' });
    expect(await arrivalsOf(core.agent, task.injectedMessageId('more'))).toHaveLength(1);
    await core.agent.openGate('injection');
    await task.status('DONE');
  });
});

describe('three questions of one pause', () => {
  // Promise QU4
  test.concurrent('three questions of one pause are answered though one is declined: the agent gets both answers and which was declined', async () => {
    const task = await core.engine.open('forms 3 => complete');
    const [one, two, three] = [await task.asked(1), await task.asked(2), await task.asked(3)];
    await task.decide(answer(one, { colour: 'green' }));
    await task.decide(refusal(two, 'not mine'));
    await task.decide(answer(three, { colour: 'red' }));
    const { a2aTaskId } = await task.status('DONE', 'CANCELED');
    expect(await cancelsOf(core.agent, a2aTaskId)).toEqual([]);
    const [sent] = await arrivalsOf(core.agent, task.messageId(2));
    expect(formAnswersOf(sent)).toMatchObject([
      { values: { colour: 'green' }, metadata: {} },
      { values: {}, metadata: { status: 'cancelled', reason: 'not mine' } },
      { values: { colour: 'red' }, metadata: {} },
    ]);
    expect((await task.holds()).map(({ status }) => status)).toEqual(['decided', 'cancelled', 'decided']);
  });
});
