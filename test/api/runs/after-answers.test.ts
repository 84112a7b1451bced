// A message that a person sends together with answers: AG-UI's way to change the subject while a question is open.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { keyAfter } from '../../../src/api/runs/accompanying-message.ts';
import { createSweeper } from '../../../src/api/runs/sweeper.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { admittedAs, aHold, aQuestion, eventsOf, fakeTasks, finished, lastOf, words, writeRun } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { answer, asked, cancel, carrying, resume } from './asked-tasks.ts';
import { prover } from '../../rigs/proofs.ts';

const rig = describeApi();
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  rig.setNow(null);
});

const post = (payload: object) => rig.app.inject({ method: 'POST', url: '/agents/expenses/run', payload });

describe('a message that comes with answers', () => {
  const message = { id: 'u9', role: 'user', content: 'And now something else.' };
  const openings: { runId: string; sent: string[] | null | undefined }[] = [];
  /** A worker that ends the next task at once. */
  const nextTask = (): void => {
    openings.length = 0;
    rig.tasks.open = async ({ agent, threadId, taskId, opening }) => {
      const key = { agent, threadId, runId: opening.runId };
      openings.push({ runId: opening.runId, sent: (await rig.store.intake.get(key))?.messageIds });
      await writeRun(rig.store, key, [...words(`${opening.runId}-a`, 'Something else.'), finished(key)], 'success', {
        taskId,
        fingerprint: opening.fingerprint,
      });
      return admittedAs(taskId, opening.runId, 'opened');
    };
  };

  test.each([
    ['answered', (hold: HoldRow) => answer(hold, { city: 'Rome' })],
    ['refused', (hold: HoldRow) => cancel(hold)],
  ])(
    'a message that comes with answers is the thread’s next task in the same run where the task is over: %s',
    async (_what, entryOf) => {
      const { threadId, task, hold } = await asked(rig);
      carrying(rig, task, [hold]);
      nextTask();
      const { body } = await post(resume(threadId, 'r2', [entryOf(hold)], { messages: [message] }));
      const events = eventsOf(body);
      expect(openings).toEqual([{ runId: expect.stringContaining('after-answers'), sent: ['u9'] }]);
      expect(events.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1);
      expect(events.filter(({ type }) => type === 'RUN_FINISHED')).toMatchObject([{ threadId, runId: 'r2' }]);
      const shown = events.flatMap(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? [delta] : []));
      expect(shown).toEqual(['Booked.', 'Something else.']);
      // The same run again tells the same, and sends nothing.
      const again = await post(resume(threadId, 'r2', [entryOf(hold)], { messages: [message] }));
      expect(eventsOf(again.body)).toEqual(events);
      expect(openings).toHaveLength(1);
    },
  );

  test('a message that comes with answers is sent by the sweeper where its reader has gone, and not before the answers’ run has ended', async () => {
    const { threadId, task, hold } = await asked(rig);
    carrying(rig, task, [hold]);
    nextTask();
    const plan = rig.tasks.resume;
    rig.tasks.resume = () => Promise.resolve({ kind: 'unanswered', by: 'worker' });
    rig.setNow(new Date(Date.now() - 60_000).toISOString());
    const key = { agent: 'expenses', threadId, runId: 'r2' };
    const reader = new AbortController();
    const read = fetch(`${await rig.app.listen({ host: '127.0.0.1', port: 0 })}/agents/expenses/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(resume(threadId, 'r2', [answer(hold, { city: 'Rome' })], { messages: [message] })),
      signal: reader.signal,
    }).then((response) => response.text());
    await waitFor(
      async () => (await rig.store.intake.get(keyAfter(key))) ?? undefined,
      10_000,
      'the message to be kept',
    );
    reader.abort();
    await expect(read).rejects.toThrow();
    rig.setNow(null);
    const sweeper = createSweeper(
      {
        ...rig,
        prover,
        config: ConfigSchema.parse({}),
        codec: null,
        now: () => new Date(),
        publicUrl: 'http://127.0.0.1:8600',
        log: pino({ level: 'silent' }),
      },
      { olderThanMs: 0 },
    );
    await sweeper.now();
    expect(openings).toEqual([]);
    rig.tasks.resume = plan;
    await waitFor(
      async () => {
        await sweeper.now();
        return openings.length > 0;
      },
      10_000,
      'the message to be sent',
    );
    expect(openings).toMatchObject([{ sent: ['u9'] }]);
  });

  test('a message that comes with answers goes to its agent where the task asks again, and is refused aloud where the question takes any text', async () => {
    for (const kind of ['confirmation', 'text'] as const) {
      const { threadId, task, hold } = await asked(rig);
      carrying(rig, task, [hold]);
      const carry = rig.tasks.resume;
      rig.tasks.resume = async (...given) => {
        const reply = await carry(...given);
        await rig.store.tasks.update(task.taskId, { status: 'NEEDS_REVIEW' });
        await aHold(rig.store, task, { n: 2, question: aQuestion({ kind }) });
        return reply;
      };
      const messages: string[] = [];
      rig.tasks.open = async () => ({ kind: 'refusal', refusal: refuse('interrupts_pending', 'answer first') });
      rig.tasks.message = async (_task, { text, messageId }) => {
        messages.push(text);
        return { kind: 'answer', value: { messageId, kind: 'asked', taskStatus: 'USER_INPUT_RECEIVED' } };
      };
      const { body } = await post(resume(threadId, 'r2', [answer(hold, { city: 'Rome' })], { messages: [message] }));
      expect(messages).toEqual(kind === 'text' ? [] : [message.content]);
      if (kind === 'text') expect(lastOf(body)).toMatchObject({ type: 'RUN_ERROR', code: 'interrupts_pending' });
    }
  });

  test('a message that comes with answers that only repeats the answer of a text question is not sent again', async () => {
    const schema = { type: 'object', required: ['text'] };
    const { threadId, task, hold } = await asked(rig, 1, { question: aQuestion({ kind: 'text', schema }) });
    carrying(rig, task, [hold]);
    nextTask();
    await post(resume(threadId, 'r2', [answer(hold, message.content)], { messages: [message] }));
    expect(openings).toEqual([]);
  });
});
