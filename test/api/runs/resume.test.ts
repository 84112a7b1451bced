import { beforeEach, describe, expect, test } from '@jest/globals';
import { answerFingerprint } from '../../../src/api/holds/answers.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { RunCommand } from '../../../src/contract/tasks/run.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import { emptyProjection, reduceEvents } from '../../../src/wire/agui/model/projection.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import {
  aHold,
  aQuestion,
  aTask,
  eventsOf,
  fakeTasks,
  finished,
  freshThread,
  lastOf,
  runBody,
  writeRun,
  aDecision,
  anEnd,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { answer, cancel, resume, entriesOf, carrying, asked } from './asked-tasks.ts';
import { endRun } from '../../rigs/store/store-writes.ts';

const rig = describeApi();
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  rig.setNow(null);
});

const post = (payload: object) => rig.app.inject({ method: 'POST', url: '/agents/expenses/run', payload });
/** On its way already, not only when somebody waits for it. */
const begun = (payload: object) => post(payload).then((response) => response);

test.each([
  ['one answer', 1, 257],
  ['all answers together', 5, 250],
])('a run can be too_large by %s, which is answered before any stream', async (_what, count, kib) => {
  const task = await aTask(rig.store, freshThread());
  const hold = await aHold(rig.store, task);
  const commands: RunCommand[] = [];
  carrying(rig, task, [hold], commands);
  const entries = Array.from({ length: count }, (_, index) => ({
    ...answer(hold, { city: 'x'.repeat(kib * 1024) }),
    ...(index > 0 && { interruptId: `other-${index}` }),
  }));
  const response = await post(resume(task.threadId, 'too-large', entries));
  expect(response.statusCode).toBe(413);
  expect(response.json()).toMatchObject({ code: 'too_large' });
  expect(commands).toEqual([]);
});

describe('a resume that fits', () => {
  test('a resume that fits goes to the very task that asked, as one command with every answer', async () => {
    const { threadId, task, hold } = await asked(rig);
    const commands: RunCommand[] = [];
    carrying(rig, task, [hold], commands);
    const response = await post(resume(threadId, 'r2', [answer(hold, { city: 'Rome' })]));
    expect(lastOf(response.body)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(entriesOf(commands[0])).toEqual([
      {
        hold: hold.interruptId,
        status: 'resolved',
        values: { city: 'Rome' },
        reason: null,
        digest: null,
        fingerprint: answerFingerprint({ status: 'resolved', values: { city: 'Rome' }, reason: null }),
        // It was checked here, and against this question.
        checked: { digest: hold.digest },
        // And who answers is proved where they were believed.
        proof: expect.objectContaining({ kind: 'people', digest: hold.digest, entries: ['user:local', 'owner'] }),
      },
    ]);
  });

  test('a resume that fits may be the plain text of a text question', async () => {
    const schema = { type: 'object', required: ['text'] };
    const { threadId, task, hold } = await asked(rig, 1, { question: aQuestion({ kind: 'text', schema }) });
    const commands: RunCommand[] = [];
    carrying(rig, task, [hold], commands);
    await post(resume(threadId, 'r2', [answer(hold, 'Rome, please')]));
    expect(entriesOf(commands[0])).toMatchObject([{ status: 'resolved', values: { text: 'Rome, please' } }]);
  });

  // Promise G33
  test.each([true, false])(
    'a resume that fits may be a bare yes or no where that is what is asked: %s',
    async (payload) => {
      const schema: JsonObject = {
        type: 'object',
        properties: { approved: { type: 'boolean' } },
        required: ['approved'],
      };
      const { threadId, task, hold } = await asked(rig, 1, { question: aQuestion({ kind: 'tool_call', schema }) });
      const commands: RunCommand[] = [];
      carrying(rig, task, [hold], commands);
      await post(runBody(threadId, 'r2', { messages: [], forwardedProps: { command: { resume: payload } } }));
      expect(entriesOf(commands[0])).toMatchObject([
        { hold: hold.interruptId, status: 'resolved', values: { approved: payload } },
      ]);
    },
  );

  // Promise G11
  test.each<[string, unknown, JsonObject]>([
    ['an object', '{"city":"Rome"}', { city: 'Rome' }],
    ['a yes', 'true', { approved: true }],
  ])('a resume that fits may be the JSON text of %s, as older front ends write it', async (_what, payload, values) => {
    const schema: JsonObject = { type: 'object', properties: { approved: { type: 'boolean' } } };
    const { threadId, task, hold } = await asked(rig, 1, { question: aQuestion({ kind: 'tool_call', schema }) });
    const commands: RunCommand[] = [];
    carrying(rig, task, [hold], commands);
    const command = { resume: payload, interruptEvent: { id: hold.interruptId } };
    await post(runBody(threadId, 'r2', { messages: [], forwardedProps: { command } } as JsonObject));
    expect(entriesOf(commands[0])).toMatchObject([{ hold: hold.interruptId, values }]);
  });

  // Promise G11
  test('a resume that fits stays the text of a text question, also where that text is JSON', async () => {
    const { threadId, task, hold } = await asked(rig, 1, {
      question: aQuestion({ kind: 'text', schema: { required: ['text'] } }),
    });
    const commands: RunCommand[] = [];
    carrying(rig, task, [hold], commands);
    const forwardedProps = { command: { resume: '{"a":1}' } };
    await post(runBody(threadId, 'r2', { messages: [], forwardedProps }));
    expect(entriesOf(commands[0])).toMatchObject([{ values: { text: '{"a":1}' } }]);
  });

  // Promise G11
  test('a resume that fits is sealed where it is JSON text with a secret in it', async () => {
    const { threadId, task, hold } = await asked(rig, 1, { question: aQuestion({ secrets: ['pin'] }) });
    const commands: RunCommand[] = [];
    carrying(rig, task, [hold], commands);
    const forwardedProps = { command: { resume: '{"city":"Rome","pin":"0451-9"}' } };
    await post(runBody(threadId, 'r2', { messages: [], forwardedProps }));
    expect(entriesOf(commands[0])).toMatchObject([{ values: { city: 'Rome', pin: expect.anything() } }]);
    const kept = await rig.store.intake.get({ agent: 'expenses', threadId, runId: 'r2' });
    expect(JSON.stringify([commands, kept])).not.toContain('0451-9');
  });

  // Promise G33
  test('a resume that fits must name its question when several are open', async () => {
    const { threadId } = await asked(rig, 2);
    const command = { resume: { city: 'Rome' } };
    const { body } = await post(runBody(threadId, 'r2', { messages: [], forwardedProps: { command } }));
    expect(lastOf(body)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'interrupt_unknown',
      message: expect.stringContaining('2 are open'),
    });
  });

  test('a resume that fits is replayed under a new runId with the recorded outcome, without a call to the workflow', async () => {
    const { threadId, task, hold } = await asked(rig);
    carrying(rig, task, [hold]);
    await post(resume(threadId, 'r2', [answer(hold, { city: 'Rome' })]));
    Object.assign(rig.tasks, fakeTasks());
    const response = await post(resume(threadId, 'r3', [answer(hold, { city: 'Rome' })]));
    const events = eventsOf(response.body);
    expect(events.map((event) => event.type)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    expect(events.at(0)).toMatchObject({ runId: 'r3' });
    expect(events.at(-1)).toMatchObject({ runId: 'r3', outcome: { type: 'success' } });
    expect(response.body).toContain('Booked.');
    expect(rig.tasks.calls).toEqual([]);
  });

  test('a resume that fits is replayed while the carrying run is still open by following it to its end', async () => {
    const { threadId, task, hold } = await asked(rig);
    const key = { agent: 'expenses', threadId, runId: 'r2' };
    const run = await writeRun(
      rig.store,
      key,
      [
        { type: 'TEXT_MESSAGE_START', messageId: 'a', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'Boo' },
      ],
      null,
    );
    const values = { city: 'Rome' };
    await rig.store.holds.close(
      hold.holdId,
      anEnd(
        'decided',
        aDecision({ by: 'local', at: new Date().toISOString(), values }),
        answerFingerprint({ status: 'resolved', values, reason: null }),
      ),
    );
    await rig.store.holds.setCarrier(hold.holdId, 'r2');
    await rig.store.tasks.update(task.taskId, { status: 'IN_PROGRESS' });
    const response = begun(resume(threadId, 'r3', [answer(hold, values)]));
    await rig.store.log.append(run.logId, 1, [
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'ked.' },
      { type: 'TEXT_MESSAGE_END', messageId: 'a' },
      finished(key),
    ]);
    await endRun(rig.store, run.logId, 1, 'success');
    const events = eventsOf((await response).body);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r3' });
    // However the two met, the text is whole once and only once.
    const { messages } = reduceEvents(emptyProjection(threadId, 'r3'), events);
    expect(messages).toMatchObject([{ id: 'a', content: 'Booked.' }]);
  });
});

describe('a resume under the runId of the run that asked', () => {
  const callQuestion = aQuestion({ kind: 'tool_call' });

  // Promise G2
  test('a resume under the runId of the run that asked is a run of its own, shown under the runId that was asked for', async () => {
    const { threadId, task, hold } = await asked(rig);
    const commands: RunCommand[] = [];
    carrying(rig, task, [hold], commands);
    const { statusCode, body } = await post(resume(threadId, 'r1', [answer(hold, { city: 'Rome' })]));
    expect(statusCode).toBe(200);
    const events = eventsOf(body);
    expect(events.at(0)).toMatchObject({ type: 'RUN_STARTED', runId: 'r1' });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r1', outcome: { type: 'success' } });
    expect(commands.map(({ runId }) => runId)).toEqual([expect.stringMatching(/^standfast-.+-resumed-[0-9a-f]{24}$/)]);
  });

  // Promise G2
  test('a resume under the runId of the run that asked gets the same events for the same body, and is carried once', async () => {
    const { threadId, task, hold } = await asked(rig);
    const commands: RunCommand[] = [];
    carrying(rig, task, [hold], commands);
    const body = resume(threadId, 'r1', [answer(hold, { city: 'Rome' })]);
    const first = await post(body);
    expect((await post(body)).body).toBe(first.body);
    expect(commands).toHaveLength(1);
  });

  // Promise G2
  test('a resume under the runId of the run that asked may be sent again with better answers after one that did not fit', async () => {
    const { threadId, task, hold } = await asked(rig);
    carrying(rig, task, [hold]);
    expect(lastOf((await post(resume(threadId, 'r1', [answer(hold, {})]))).body)).toMatchObject({
      code: 'payload_invalid',
    });
    expect(lastOf((await post(resume(threadId, 'r1', [answer(hold, { city: 'Rome' })]))).body)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'success' },
    });
  });

  test('a resume under the runId of the run that asked goes on under it when the resumed run asks again', async () => {
    const { threadId, task, hold } = await asked(rig);
    const commands: RunCommand[] = [];
    carrying(rig, task, [hold], commands);
    await post(resume(threadId, 'r1', [answer(hold, { city: 'Rome' })]));
    const openedInRun = commands[0]?.runId ?? '';
    const next = await aHold(rig.store, task, { n: 2, openedInRun });
    carrying(rig, task, [next], commands);
    const { body } = await post(resume(threadId, 'r1', [answer(next, { city: 'Oslo' })]));
    expect(lastOf(body)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r1' });
    expect(new Set(commands.map(({ runId }) => runId)).size).toBe(2);
  });

  test('a resume under the runId of the run that asked fits the run that ended with a question of an earlier one, by the last question of that run', async () => {
    const { threadId, task, hold } = await asked(rig);
    const key = { agent: 'expenses', threadId, runId: 'r2' };
    const outcome = { type: 'interrupt', interrupts: [{ id: hold.interruptId, reason: 'input_required' }] };
    await writeRun(rig.store, key, [finished(key, outcome)], 'interrupt');
    carrying(rig, task, [hold]);
    const { body } = await post(resume(threadId, 'r2', [answer(hold, { city: 'Rome' })]));
    expect(lastOf(body)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r2' });
  });

  // Promise G3
  test.each<[string, (own: HoldRow, other: HoldRow) => JsonObject[]]>([
    ['names an interrupt of another run', (_own, other) => [answer(other, { city: 'Rome' })]],
    [
      'names one of another run beside its own',
      (own, other) => [answer(own, { city: 'Rome' }), answer(other, { city: 'Rome' })],
    ],
    ['names an interrupt that nobody asked', (own) => [{ ...answer(own, {}), interruptId: 'hitl-nobody-1' }]],
  ])('a resume under the runId of the run that asked stays run_conflict where it %s', async (_what, entries) => {
    const { threadId, task, hold } = await asked(rig);
    const key = { agent: 'expenses', threadId, runId: 'r2' };
    await writeRun(rig.store, key, [finished(key)], 'interrupt');
    const other = await aHold(rig.store, task, { n: 2, openedInRun: 'r2' });
    const response = await post(resume(threadId, 'r1', entries(hold, other)));
    expect([response.statusCode, response.json()]).toMatchObject([409, { code: 'run_conflict' }]);
    expect(rig.tasks.calls).toEqual([]);
  });

  // Promise BR4
  test('a resume under the runId of the run that asked leaves nothing for the agent of the tool message in which CopilotKit repeats the answer', async () => {
    const { threadId, task, hold } = await asked(rig, 1, { question: callQuestion, card: { toolCallId: 'call-7' } });
    carrying(rig, task, [hold]);
    const messages = [
      { id: 'r1-m', role: 'user', content: 'Please file my trip' },
      { id: 'result-of-the-client', role: 'tool', toolCallId: 'call-7', content: '{"approved":true}' },
    ];
    await post(resume(threadId, 'r1', [answer(hold, { city: 'Rome' })], { messages }));
    const key = { agent: 'expenses', threadId, runId: 'r9' };
    expect(await rig.store.sent.known(key, ['result-of-the-client'])).toEqual(['result-of-the-client']);
  });
});

describe('a resume that does not fit ends in RUN_ERROR and changes nothing', () => {
  // Promise G8
  test.each([
    ['interrupt_unknown', (hold: HoldRow) => [{ ...answer(hold, { city: 'Rome' }), interruptId: 'hitl-nobody-1' }]],
    ['payload_invalid', (hold: HoldRow) => [answer(hold, {})]],
    ['payload_invalid', (hold: HoldRow) => [answer(hold, 'not an object')]],
    ['payload_invalid', (hold: HoldRow) => [answer(hold, null)]],
  ])('a resume that does not fit ends in RUN_ERROR and changes nothing: %s', async (code, entries) => {
    const { threadId, hold } = await asked(rig);
    const response = await post(resume(threadId, 'r2', entries(hold)));
    expect(response.statusCode).toBe(200);
    expect(eventsOf(response.body)).toMatchObject([{ type: 'RUN_ERROR', code }]);
    expect((await rig.store.holds.get(hold.holdId))?.status).toBe('open');
    expect(rig.tasks.calls).toEqual([]);
  });

  test('payload_invalid names the fields, in words and as data', async () => {
    const { threadId, hold } = await asked(rig);
    const [event] = eventsOf((await post(resume(threadId, 'r2', [answer(hold, {})]))).body);
    expect(event).toEqual({
      type: 'RUN_ERROR',
      code: 'payload_invalid',
      message: 'the answer does not fit the question: /city: is needed',
      metadata: { errors: [{ path: '/city', message: 'is needed' }] },
    });
  });

  test('a resume that does not fit what is open leaves the last word to the workflow', async () => {
    const { threadId, holds } = await asked(rig, 2);
    rig.tasks.resume = async () => ({
      kind: 'refusal',
      refusal: refuse('interrupts_not_covered', 'missing: the other one'),
    });
    const [first] = holds;
    const response = await post(resume(threadId, 'r2', first === undefined ? [] : [answer(first, { city: 'Rome' })]));
    expect(eventsOf(response.body)).toMatchObject([{ type: 'RUN_ERROR', code: 'interrupts_not_covered' }]);
  });

  test('a resume on an unknown thread is interrupt_unknown, and the thread stays unclaimed', async () => {
    const threadId = freshThread();
    const response = await post(resume(threadId, 'r1', [{ interruptId: 'hitl-x-1', status: 'resolved', payload: {} }]));
    expect(lastOf(response.body)).toMatchObject({ code: 'interrupt_unknown' });
    expect(await rig.store.threads.get('expenses', threadId)).toBeNull();
  });

  test('a schema that cannot be used lets no answer pass, and the question can still be declined', async () => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    const question = aQuestion({ schema: { 'x-broken': true } });
    const broken = await aHold(rig.store, task, { question, canRefuse: true });
    carrying(rig, task, [broken]);
    const response = await post(resume(threadId, 'r2', [answer(broken, { anything: 1 })]));
    expect(lastOf(response.body)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'payload_invalid',
      message: expect.stringContaining('decline the question, or cancel its task'),
    });
    const declined = await post(resume(threadId, 'r3', [cancel(broken)]));
    expect(lastOf(declined.body)).toMatchObject({ type: 'RUN_FINISHED' });
  });
});

describe('a question that is closed', () => {
  async function decidedBefore() {
    const known = await asked(rig);
    await rig.store.holds.close(
      known.hold.holdId,
      anEnd(
        'decided',
        aDecision({ by: 'ben', at: '2026-11-21T08:00:00.000Z', values: { city: 'Oslo' } }),
        'sha256:of-another-answer',
      ),
    );
    await rig.store.tasks.update(known.task.taskId, { status: 'DONE' });
    return known;
  }

  test('a question that is closed gets hold_closed for another answer', async () => {
    const { threadId, hold } = await decidedBefore();
    expect(lastOf((await post(resume(threadId, 'r2', [answer(hold, { city: 'Rome' })]))).body)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'hold_closed',
    });
  });

  test('a question that is closed lets a client that cancels it find its way out, to the true end of the task', async () => {
    const { threadId, hold } = await decidedBefore();
    const events = eventsOf((await post(resume(threadId, 'r2', [cancel(hold)]))).body);
    expect(events.map((event) => event.type)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    expect(events.at(-1)).toMatchObject({ outcome: { type: 'success' }, result: { status: 'DONE' } });
  });

  test('a question that is closed is interrupt_expired when no answer came in time, with the same way out', async () => {
    const { threadId, hold, task } = await asked(rig);
    await rig.store.holds.close(hold.holdId, anEnd('expired'));
    const error = { code: 'hold_expired', message: 'nobody answered' };
    await rig.store.tasks.update(task.taskId, { status: 'FAILED', error });
    expect(lastOf((await post(resume(threadId, 'r2', [answer(hold, { city: 'Rome' })]))).body)).toMatchObject({
      code: 'interrupt_expired',
    });
    expect(lastOf((await post(resume(threadId, 'r3', [cancel(hold)]))).body)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'cancelled' },
      result: { status: 'FAILED', error },
    });
    const { protocolVersion: _none, ...old } = resume(threadId, 'r4', [cancel(hold)]);
    expect(lastOf((await post(old)).body)).toMatchObject({ outcome: { type: 'success' } });
  });

  test('a question that was closed just now by the same answer gives the loser of the race its outcome', async () => {
    const { threadId, hold, task } = await asked(rig);
    const values = { city: 'Rome' };
    rig.tasks.resume = async () => {
      await rig.store.holds.close(
        hold.holdId,
        anEnd(
          'decided',
          aDecision({ by: 'local', at: new Date().toISOString(), values }),
          answerFingerprint({ status: 'resolved', values, reason: null }),
        ),
      );
      const key = { agent: 'expenses', threadId, runId: 'winner' };
      await rig.store.holds.setCarrier(hold.holdId, 'winner');
      await writeRun(rig.store, key, [finished(key)], 'success');
      await rig.store.tasks.update(task.taskId, { status: 'DONE' });
      return { kind: 'refusal', refusal: refuse('hold_closed', 'decided already') };
    };
    expect(lastOf((await post(resume(threadId, 'r2', [answer(hold, values)]))).body)).toMatchObject({
      type: 'RUN_FINISHED',
      runId: 'r2',
      outcome: { type: 'success' },
    });
  });
});
