// Everything killed while people are asked: what was asked stays asked, and the answer reaches the agent once.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startExpensesAgent, startFakeAgent, type AgentProcess, type FakeAgent } from '../../rigs/agents/agent.ts';
import {
  createRealClient,
  endOf,
  interruptsOf,
  textsOf,
  type RealClient,
  type RealRun,
} from '../../rigs/streams/agui.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import {
  countsOf,
  ended,
  green,
  holdsOf,
  interruptOf,
  longMs,
  openHold,
  readHold,
  readTask,
  waitForTask,
  waitForWorkflow,
  withoutIdsAndTimes,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

const script = 'stream 12 5; form => say thanks; stream 8 5 second; data; complete';
const claim = 'Lunch with the customer, 84.50 EUR';
const approval = { amount: 84.5, costCentre: 'sales', purpose: 'customer meeting', approve: true };

let fake: FakeAgent;
let expenses: AgentProcess;
let real: RealClient;
let asked: RealRun;
/** Runs of two threads with the same question: `prompt` is answered at once, `patient` after the kill. */
let prompt: WireEvent[][] = [];
let patient: WireEvent[] = [];
let before: { patient: HoldView; real: HoldView };
let statusBefore: unknown;
/** A question whose deadline passes while nothing runs. */
let hasty: HoldView;
/** Decided, and not sent yet when everything is killed. */
let graced: HoldView[] = [];
/** Runs that were in the middle of their text, and what their readers had seen. */
const streamed = [40, 60, 80].map((delayMs) => ({
  threadId: `streamed-${delayMs}`,
  runId: `streamed-${delayMs}-1`,
  text: `stream 100 ${delayMs}; data; complete`,
}));
let seen: WireEvent[][] = [];

const configText = (): string => `
agents:
  fake: { url: '${fake.url}', policy: finance }
  expenses: { url: '${expenses.url}', policy: finance }
  hasty: { url: '${fake.url}', policy: hasty }
  sent: { url: '${fake.url}', policy: sent }
  undone: { url: '${fake.url}', policy: undone }
policies:
  sent: { grace: 5s }
  undone: { grace: 10m }
  hasty: { ladder: [{ after: 2s, remind: true }, { after: 3s, escalate: ['role:lead'] }], expire: { after: 5s, then: fail } }
  finance: { audience: ['role:finance'], ladder: [{ after: 30m, remind: true }], expire: { after: 2h, then: fail } }
`;

const { supervisor, up, startAgain } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  expenses = await startExpensesAgent(supervisor, { chunkDelayMs: 2 });
  return { configText: configText(), isEmbedded: true };
});
beforeAll(async () => {
  real = createRealClient(`${up.url}/agents/expenses/run`, 'real');
  const [first, second, third] = await Promise.all([
    up.run('fake', { threadId: 'prompt', runId: 'prompt-1', text: script }),
    up.run('fake', { threadId: 'patient', runId: 'patient-1', text: script }),
    real.say(claim),
  ]);
  const question = ended(first, 'interrupt');
  const answered = await up.run('fake', {
    threadId: 'prompt',
    runId: 'prompt-2',
    resume: green(interruptOf(question)),
  });
  prompt = [question, ended(answered, 'success')];
  patient = ended(second, 'interrupt');
  asked = third;
  before = { patient: await openHold(up, 'fake', 'patient'), real: await openHold(up, 'expenses', 'real') };
  await eventually(async () => {
    statusBefore = await readTask(up, before.patient.taskId);
    expect(statusBefore).not.toHaveProperty('stale');
  });

  ended(await up.run('hasty', { threadId: 'hasty', text: 'form => complete' }), 'interrupt');
  // On a busy machine its time may be over by now.
  const [asksInHaste] = await holdsOf(up, 'hasty', 'hasty');
  if (asksInHaste === undefined) throw new Error('nothing was asked in haste');
  hasty = asksInHaste;
  graced = await Promise.all(
    ['sent', 'undone'].map(async (agent) => {
      ended(await up.run(agent, { threadId: agent, text: 'form => complete' }), 'interrupt');
      const hold = await openHold(up, agent, agent);
      const body = { status: 'resolved', values: { colour: 'green', note: '' } };
      expect((await up.post(`/api/holds/${hold.id}/decision`, body)).status).toBe(200);
      return hold;
    }),
  );
  const open = await Promise.all(streamed.map((request) => up.openRun('fake', request)));
  await waitFor(
    () => open.every((stream) => stream.frames.length >= 15),
    longMs,
    'three runs in the middle of their text',
  );

  await supervisor.killAll9();
  seen = open.map((stream) => stream.events());
  await Promise.all([fake.restart(), expenses.restart()]);
  await startAgain();
});

const idsOf = (thread: string): string[] => [`${thread}-1`, `${thread}-2`, thread];

describe('after kill -9 of Standfast, Temporal, database and agents', () => {
  // Promise Q1
  test('an open question has the same ids, words and deadline as before', async () => {
    expect(await openHold(up, 'fake', 'patient')).toEqual(before.patient);
    expect(await openHold(up, 'expenses', 'real')).toEqual(before.real);
    // A worker that has just come back answers the query late, and the row counts as stale until then.
    await eventually(async () => expect(await readTask(up, before.patient.taskId)).toEqual(statusBefore));
  });

  test('a client that comes back is shown the question by a run that only reads', async () => {
    const run = await up.run('fake', {
      threadId: 'patient',
      messages: [],
      forwardedProps: { a2a: { subscribeOnly: true } },
    });
    const [interrupt] = interruptsOf(ended(run, 'interrupt'));
    expect(interrupt).toEqual(interruptsOf(patient)[0]);
  });

  // Promise Q2
  test('a question answered after it gives the same events as one answered at once', async () => {
    const resume = green(interruptOf(patient));
    const answered = ended(await up.run('fake', { threadId: 'patient', runId: 'patient-2', resume }), 'success');
    expect(textsOf(answered).get(`artifact:${(await readTask(up, before.patient.taskId)).a2aTaskId}:second`)).toBe(
      't1 t2 t3 t4 t5 t6 t7 t8 ',
    );
    expect(withoutIdsAndTimes([...patient, ...answered], ...idsOf('patient'))).toEqual(
      withoutIdsAndTimes(prompt.flat(), ...idsOf('prompt')),
    );
    await waitForWorkflow(up.temporalAddress, 'fake', 'patient', 'COMPLETED');
  });

  test('the answer of a real AG-UI client reaches the demo agent, which books the expense', async () => {
    checkRun(asked.events);
    expect(asked.failure).toBeNull();
    const [interrupt] = interruptsOf(asked.events);
    expect(interrupt?.expiresAt).toBe(before.real.expiresAt);
    expect(real.agent.pendingInterrupts).toHaveLength(1);
    const answered = await real.resume([{ interruptId: interrupt?.id ?? '', status: 'resolved', payload: approval }]);
    expect(answered.failure).toBeNull();
    checkRun(answered.events);
    expect(endOf(answered.events)).toBe('success');
    expect(real.agent.pendingInterrupts).toEqual([]);
    expect(real.agent.state).toMatchObject({
      view: { artifacts: { receipt: expect.anything() }, tasks: { [before.real.taskId]: { status: 'DONE' } } },
    });
    expect(JSON.stringify(real.agent.messages)).toContain('Approved: 84.50 EUR');
    expect((await readTask(up, before.real.taskId)).status).toBe('DONE');
    await waitForWorkflow(up.temporalAddress, 'expenses', 'real', 'COMPLETED');
  });

  test('runs that were cut in the middle of their text go on, and are read by posting them again: no word lost or twice', async () => {
    for (const [index, request] of streamed.entries()) {
      const events = ended(await up.run('fake', request, longMs), 'success');
      expect(events.slice(0, seen[index]?.length)).toEqual(seen[index]);
      const texts = [...textsOf(events)].flatMap(([id, text]) => (id.startsWith('artifact') ? [text] : []));
      expect(texts).toEqual([Array.from({ length: 100 }, (_, word) => `t${word + 1} `).join('')]);
    }
  });

  test('a question whose deadline passed meanwhile has expired, with all its steps, and a late answer is refused', async () => {
    const task = await waitForTask(up, hasty.taskId, 'FAILED');
    expect(task.error?.code).toBe('hold_expired');
    const hold = await readHold(up, hasty.id);
    expect(hold).toMatchObject({ status: 'expired', expiresAt: hasty.expiresAt, audience: ['owner', 'role:lead'] });
    ended(await up.run('hasty', { threadId: 'hasty', resume: green(hasty.interruptId) }), 'error:interrupt_expired');
    expect(await waitForWorkflow(up.temporalAddress, 'hasty', 'hasty', 'FAILED')).toBe('hold_expired');
  });

  // Promise P22
  test('a decision that was not sent yet is sent once, or is taken back, and not both', async () => {
    const [sent, undone] = graced;
    if (sent === undefined || undone === undefined) throw new Error('nothing was decided');
    expect(await readHold(up, undone.id)).toMatchObject({ status: 'open', outgoing: { by: 'local', mayUndo: true } });
    expect(await up.post(`/api/holds/${undone.id}/undo`)).toMatchObject({ status: 200, body: { outgoing: null } });
    expect(await openHold(up, 'undone', 'undone')).toMatchObject({ id: undone.id, expiresAt: undone.expiresAt });
    await waitForTask(up, sent.taskId, 'DONE');
    expect(await readHold(up, sent.id)).toMatchObject({ status: 'decided', decision: { by: 'local' }, outgoing: null });
    expect((await up.post(`/api/holds/${sent.id}/undo`)).status).toBe(409);
  });

  // Promise O3
  test('every message reached the agent once', async () => {
    const messages = await fake.messages();
    expect(countsOf(messages)).toEqual(Array.from({ length: 4 + 1 + 3 + streamed.length }, () => 1));
    expect(new Set(messages.map(({ contextId }) => contextId)).size).toBe(2 + 1 + 2 + streamed.length);
  });
});
