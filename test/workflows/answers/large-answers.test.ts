// Temporal ends an execution for good that is given more than it can hold; what is too large is refused before.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { arrivalsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { anna, answer, bob, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  const audience = ['owner', 'role:finance', 'role:finance-lead'];
  core = await startCore(supervisor, {
    agents: { both: { policy: 'both' } },
    policies: { both: { audience, quorum: 2 } },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const note = (kib: number): { colour: string; note: string } => ({ colour: 'green', note: 'ü'.repeat(kib * 512) });
const tooLarge = {
  kind: 'refusal',
  refusal: { code: 'payload_invalid', message: expect.stringMatching(/at most 256 KiB/) },
};
const tooMuch = {
  kind: 'refusal',
  refusal: { code: 'payload_invalid', message: expect.stringMatching(/at most 1024 KiB/) },
};

test('the largest answers that are taken reach the agent together; one more of that size is refused', async () => {
  const task = await core.engine.open('forms 5 => complete');
  await task.asked(5);
  for (const n of [1, 2, 3, 4]) {
    expect(await task.decide(answer(await task.hold(n), note(255)))).toMatchObject({ kind: 'answer' });
  }
  const last = await task.hold(5);
  expect(await task.decide(answer(last, note(255)))).toMatchObject(tooMuch);
  expect(await task.decide(answer(last, { colour: 'green' }))).toMatchObject({ kind: 'answer' });
  await task.status('DONE');
  const [sent] = await arrivalsOf(core.agent, task.messageId(2));
  expect(formAnswersOf(sent)).toHaveLength(5);
});

test('answers of one run that are the largest together are taken', async () => {
  const task = await core.engine.open('forms 4 => complete');
  await task.asked(4);
  const holds = await task.holds();
  const large = holds.map((hold) => answer(hold, note(256)));
  expect(await task.run('large', { resume: large })).toMatchObject(tooLarge);
  expect(await task.run('fits', { resume: holds.map((hold) => answer(hold, note(255))) })).toMatchObject({
    kind: 'answer',
  });
  await task.status('DONE');
});

test('votes that wait count, too', async () => {
  const task = await core.engine.open('forms 3 => complete', { agent: 'both' });
  await task.asked(3);
  for (const n of [1, 2]) {
    const hold = await task.hold(n);
    expect(await task.decide(answer(hold, note(250)), anna)).toMatchObject({ kind: 'answer' });
  }
  const third = await task.hold(3);
  expect(await task.decide(answer(third, note(250)), anna)).toMatchObject({ kind: 'answer' });
  expect(await task.decide(answer(third, { ...note(250), colour: 'red' }), bob)).toMatchObject({ kind: 'answer' });
  expect(await task.decide(answer(await task.hold(1), note(250)), bob)).toMatchObject(tooMuch);
  await core.engine.tasks.cancel(task, 'the test');
  await task.status('CANCELED');
});

test('a signal with too much is noted, and the question stays open', async () => {
  const task = await core.engine.open('form => complete');
  const hold = await task.asked();
  await task.signal({ interruptId: hold.interruptId, values: note(300) });
  await waitFor(async () => (await task.details()).includes('at most 256 KiB'), 10_000, 'a note');
  expect(await task.decide(answer(hold, note(1)))).toMatchObject({ kind: 'answer' });
  await task.status('DONE');
});
