// A question left alone goes its policy's way, with people who have keys and roles; and the commands that need no AG-UI run.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { fingerprintOf } from '../../../src/host/secrets/hash.ts';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createRealClient, endOf, interruptsOf, type RealClient } from '../../rigs/streams/agui.ts';
import { checkIds, checkRun } from '../../rigs/streams/check-run.ts';
import { type StandfastClient } from '../../rigs/product/standfast.ts';
import type { SseStream, WireEvent } from '../../rigs/streams/sse-stream.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  codeOf,
  ended,
  green,
  greenDecision,
  holdsOf,
  interruptOf,
  longMs,
  openHold,
  readHold,
  readTask,
  runTemporal,
  waitForTask,
  waitForWorkflow,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

const keys = {
  olga: 'key-of-olga-1234',
  finn: 'key-of-finn-1234',
  lena: 'key-of-lena-1234',
  otto: 'key-of-otto-1234',
  ops: 'key-of-ops-12345',
};
const script = 'stream 3; form => say thanks; complete';

let fake: FakeAgent;
const as = (who: keyof typeof keys): StandfastClient => up.as(keys[who]);
const decide = async (who: keyof typeof keys, hold: HoldView, body: object): Promise<[number, unknown]> => {
  const answer = await as(who).post(`/api/holds/${hold.id}/decision`, body);
  return [answer.status, codeOf(answer)];
};

const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  return `
agents:
  quick: { url: '${fake.url}', policy: quick }
  lasting: { url: '${fake.url}', policy: lasting }
  led: { url: '${fake.url}', policy: led }
  patient: { url: '${fake.url}', policy: patient }
policies:
  quick:
    audience: ['role:finance']
    ladder: [{ after: 5s, remind: true }, { after: 7s, escalate: ['role:finance-lead'] }]
    expire: { after: 10s, then: fail }
  lasting: { audience: ['role:finance'], ladder: [{ after: 1h, remind: true }, { after: 2h, escalate: ['role:finance-lead'] }] }
  led: { audience: ['role:finance'], ladder: [{ after: 2s, escalate: ['role:finance-lead'] }] }
  patient: { audience: ['role:finance'] }
auth:
  keys:
    - { user: olga, key: '${keys.olga}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
    - { user: lena, roles: [finance-lead], key: '${keys.lena}' }
    - { user: otto, roles: [sales], key: '${keys.otto}' }
    - { user: ops, roles: [operator], key: '${keys.ops}' }
`;
});

/** The runs of a thread's stream, each from RUN_STARTED to its end. */
function runsOf(events: readonly WireEvent[]): WireEvent[][] {
  const runs: WireEvent[][] = [];
  for (const event of events) {
    if (event.type === 'RUN_STARTED') runs.push([]);
    runs.at(-1)?.push(event);
  }
  return runs;
}

describe('a question without an answer', () => {
  let real: RealClient;
  let hold: HoldView;
  let lasting: HoldView;
  let led: HoldView;
  let stream: SseStream;

  beforeAll(async () => {
    real = createRealClient(`${up.url}/agents/quick/run`, 'alone', { authorization: `Bearer ${keys.finn}` });
    const asked = await real.say(script);
    stream = await as('finn').follow('quick', 'alone');
    checkRun(asked.events);
    expect(endOf(asked.events)).toBe('interrupt');
    [hold] = (await holdsOf(as('finn'), 'quick', 'alone')) as [HoldView];
    for (const agent of ['lasting', 'led']) {
      ended(await as('olga').run(agent, { threadId: agent, text: script }), 'interrupt');
    }
    lasting = await openHold(as('olga'), 'lasting', 'lasting');
    led = await openHold(as('olga'), 'led', 'led');
  });

  test('a question without an answer is shown to its owner and to those who are asked, and to no others', async () => {
    expect(lasting.audience).toEqual(['role:finance']);
    expect(lasting.nextStep).toMatchObject({ do: 'remind' });
    expect(lasting.mayDecide).toBe(false);
    expect((await readHold(as('finn'), lasting.id)).mayDecide).toBe(true);
    expect((await as('otto').get(`/api/holds/${lasting.id}`)).status).toBe(404);
    expect((await up.get('/api/holds')).status).toBe(401);
    expect(await decide('otto', lasting, greenDecision())).toEqual([404, 'not_found']);
    expect(await decide('lena', lasting, greenDecision())).toEqual([404, 'not_found']);
    expect(await decide('olga', lasting, greenDecision())).toEqual([403, 'not_allowed_to_decide']);
  });

  // Promise A4
  test('a question without an answer is escalated: the new role may decide then, an outsider still not', async () => {
    await waitFor(async () => (await readHold(as('olga'), led.id)).audience.length > 1, longMs, 'the escalation');
    expect((await readHold(as('lena'), led.id)).audience).toEqual(['role:finance', 'role:finance-lead']);
    expect(await decide('otto', led, greenDecision())).toEqual([404, 'not_found']);
    expect(await decide('lena', led, greenDecision())).toEqual([200, null]);
    const { decision } = await readHold(as('olga'), led.id);
    expect(decision).toMatchObject({ by: 'lena', status: 'resolved', values: { colour: 'green' } });
    expect((await waitForTask(as('olga'), led.taskId, 'DONE')).status).toBe('DONE');
  });

  // Promise C4
  test('a question without an answer reminds, escalates and fails at its deadline, each in a run of Standfast’s own on the thread’s stream', async () => {
    const last = await stream.until((event) => event.type === 'RUN_ERROR', 'the run that says it expired', longMs);
    expect(last).toMatchObject({ code: 'hold_expired' });
    checkIds(stream.frames);
    const [asked, reminded, escalated, expired, ...more] = runsOf(stream.events());
    expect(more).toEqual([]);
    for (const run of [asked, reminded, escalated, expired]) checkRun(run ?? []);
    expect([asked, reminded, escalated, expired].map((run) => endOf(run ?? []))).toEqual([
      'interrupt',
      'interrupt',
      'interrupt',
      'error:hold_expired',
    ]);
    const steps = [reminded, escalated].map(
      (run) => run?.find((event) => event['name'] === 'standfast.step')?.['value'],
    );
    expect(steps).toMatchObject([
      { do: 'remind', audience: ['role:finance'] },
      { do: 'escalate', to: ['role:finance-lead'], audience: ['role:finance', 'role:finance-lead'] },
    ]);
    expect(interruptsOf(escalated ?? [])[0]?.expiresAt).toBe(hold.expiresAt);
    expect(JSON.stringify(expired)).toContain('"expired"');
  });

  test('a question without an answer leaves a failed task behind, and the agent is asked to stop', async () => {
    const task = await waitForTask(as('finn'), hold.taskId, 'FAILED');
    expect(task.error?.code).toBe('hold_expired');
    expect((await readHold(as('finn'), hold.id)).status).toBe('expired');
    expect(await waitForWorkflow(up.temporalAddress, 'quick', 'alone', 'FAILED')).toBe('hold_expired');
    const a2a = await (await createA2aCaller(fake.url)).getTask(task.a2aTaskId ?? '');
    expect(JSON.stringify(a2a)).toContain('"state":5');
  });

  test('a question without an answer refuses an answer that comes too late with interrupt_expired, by REST and by a run', async () => {
    expect(await decide('finn', hold, greenDecision())).toEqual([409, 'interrupt_expired']);
    ended(
      await as('finn').run('quick', { threadId: 'alone', resume: green(hold.interruptId) }),
      'error:interrupt_expired',
    );
    const { a2aTaskId } = await readTask(as('finn'), hold.taskId);
    expect((await fake.messages()).filter(({ taskId }) => taskId === a2aTaskId)).toEqual([]);
  });

  // Promise A7
  test('a question without an answer lets a client that still holds it go: by cancelling it, and by a run that only reads', async () => {
    expect(real.agent.pendingInterrupts).toHaveLength(1);
    const reading = await as('finn').run('quick', {
      threadId: 'alone',
      messages: [],
      forwardedProps: { a2a: { subscribeOnly: true } },
    });
    expect(ended(reading, 'cancelled').at(-1)).toMatchObject({
      result: { status: 'FAILED', error: { code: 'hold_expired' } },
    });
    const out = await real.resume([{ interruptId: hold.interruptId, status: 'cancelled' }]);
    expect(out.failure).toBeNull();
    checkRun(out.events);
    expect(endOf(out.events)).toBe('cancelled');
    expect(real.agent.pendingInterrupts).toEqual([]);
    const next = await real.say('echo; complete');
    expect(next.failure).toBeNull();
    expect(endOf(next.events)).toBe('success');
  });
});

describe('a question answered without any run of a client', () => {
  // Promise A5
  test('a question answered without any run of a client is found, read and decided by REST, which answers 200 once the workflow has it', async () => {
    ended(await as('finn').run('patient', { threadId: 'by-rest', text: script }), 'interrupt');
    const hold = await openHold(as('finn'), 'patient', 'by-rest');
    expect(await readHold(as('finn'), hold.interruptId)).toEqual(hold);
    const [artifact] = hold.context.artifacts;
    const file = await as('finn').get(artifact?.url ?? '');
    expect(file.body).toBe('t1 t2 t3 ');
    expect(artifact?.digest).toBe(fingerprintOf({ name: artifact?.name, content: file.body }));
    // What a reader of the API has is enough to compute the digest.
    const { id, agent, requester, kind, title, message, schema, defaults, links, tool, context } = hold;
    const artifacts = context.artifacts.map(({ digest }) => digest);
    const shown = { id, agent, requester, kind, title, message, schema, defaults, links, tool, artifacts };
    const { toolArgs, data, files, dialectDigest: dialect } = context;
    expect([data, files]).toEqual([[], []]);
    expect(hold.digest).toBe(fingerprintOf({ ...shown, toolArgs, data, files, dialect }));
    const { status, body } = await as('finn').post(`/api/holds/${hold.id}/decision`, {
      ...greenDecision(),
      digest: hold.digest,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ hold: { status: 'decided', decision: { by: 'finn' } }, task: { id: hold.taskId } });
    await waitForTask(as('finn'), hold.taskId, 'DONE');
    await waitForWorkflow(up.temporalAddress, 'patient', 'by-rest', 'COMPLETED');
    const run = (await (await as('finn').follow('patient', 'by-rest', { query: '?follow=false' })).over()) ?? [];
    checkRun(run);
    expect(endOf(run)).toBe('success');
    expect(run[0]?.['runId']).toContain('standfast-');
  });

  // Promise A8
  test('a question answered without any run of a client is decided by an operator’s `temporal workflow signal`, and a signal that does not fit changes nothing', async () => {
    const asked = ended(await as('olga').run('patient', { threadId: 'by-signal', text: script }), 'interrupt');
    const interruptId = interruptOf(asked);
    const signal = (input: object): Promise<string> =>
      runTemporal(up.temporalAddress, [
        'workflow',
        'signal',
        '--workflow-id',
        'a2a/patient/by-signal',
        '--name',
        'formResponse',
        '--input',
        JSON.stringify(input),
      ]);
    const hold = await openHold(as('olga'), 'patient', 'by-signal');
    await signal({ interruptId, values: { colour: 'transparent' } });
    await signal({ nonsense: true });
    expect((await readTask(as('olga'), hold.taskId)).status).toBe('NEEDS_REVIEW');
    await signal({ interruptId, values: { colour: 'red' } });
    await waitForTask(as('olga'), hold.taskId, 'DONE');
    expect((await readHold(as('olga'), hold.id)).decision).toMatchObject({
      by: 'operator:temporal',
      values: { colour: 'red' },
    });
    await waitForWorkflow(up.temporalAddress, 'patient', 'by-signal', 'COMPLETED');
  });

  // Promise B33, W4
  test('a question answered without any run of a client is canceled with its task by an operator’s `temporal workflow cancel`, and the agent with it', async () => {
    ended(await as('olga').run('patient', { threadId: 'by-cancel', text: script }), 'interrupt');
    const hold = await openHold(as('olga'), 'patient', 'by-cancel');
    await runTemporal(up.temporalAddress, ['workflow', 'cancel', '--workflow-id', 'a2a/patient/by-cancel']);
    const task = await waitForTask(as('olga'), hold.taskId, 'CANCELED');
    expect((await readHold(as('olga'), hold.id)).status).toBe('cancelled');
    await waitForWorkflow(up.temporalAddress, 'patient', 'by-cancel', 'CANCELLED');
    const stops = (await fake.ledger()).filter(({ method }) => method === 'CancelTask');
    expect(stops.map(({ taskId }) => taskId)).toContain(task.a2aTaskId);
  });
});
