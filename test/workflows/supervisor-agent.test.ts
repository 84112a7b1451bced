// What a ladder step calls besides people: an agent that decides, and channels that tell.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/contract/json.ts';
import { stopServers } from '../activities/a2a-agents.ts';
import { startSupervisor } from '../activities/supervisor-agent.ts';
import type { SupervisorAgent } from '../activities/supervisor-agent.ts';
import { arrivalsOf, formAnswersOf } from '../rigs/agent-facts.ts';
import { anna, answer, startCore } from '../rigs/engine.ts';
import type { Core } from '../rigs/engine.ts';
import { startHttpSink } from '../rigs/sinks.ts';
import type { HttpSink } from '../rigs/sinks.ts';
import { createSupervisor } from '../rigs/supervisor.ts';
import { waitFor } from '../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
let judge: SupervisorAgent;
let lost: SupervisorAgent;
let sink: HttpSink;

const formAnswer = (form: JsonObject, values: JsonObject): JsonObject => ({
  type: 'a2a.hitl.formResponse',
  formId: form['formId'] ?? null,
  values,
});

beforeAll(async () => {
  judge = await startSupervisor((form) => ({ artifact: formAnswer(form, { colour: 'green' }) }));
  lost = await startSupervisor(() => ({ words: 'no idea' }));
  sink = await startHttpSink();
  const to = (name: string): JsonObject => ({
    audience: ['role:finance'],
    ladder: [{ after: '300ms', escalate: [`agent:${name}`] }],
  });
  core = await startCore(supervisor, {
    agents: {
      judge: { url: judge.url },
      lost: { url: lost.url },
      escalating: { policy: 'to-judge' },
      hopeless: { policy: 'to-lost' },
      heard: { policy: 'heard' },
      unheard: { policy: 'unheard' },
    },
    policies: {
      'to-judge': to('judge'),
      'to-lost': to('lost'),
      heard: { audience: ['role:finance'], ladder: [{ after: '300ms', remind: true }], notify: ['hook'] },
      unheard: { expire: { after: '500ms' }, notify: ['hook'] },
    },
    config: {
      notifications: {
        channels: {
          hook: { type: 'webhook', url: sink.url, secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=' },
        },
      },
    },
  });
}, 60_000);
afterAll(async () => {
  await (core === undefined ? supervisor.end() : core.stop());
  await sink?.close();
  await stopServers();
}, 30_000);

describe('an agent that a step escalates to', () => {
  test.concurrent('is asked over A2A, and its answer is a decision like any other', async () => {
    const task = await core.engine.open('form => complete', { agent: 'escalating' });
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({
      status: 'decided',
      audience: ['role:finance', 'agent:judge'],
      decision: { by: 'agent:judge', door: 'agent', values: { colour: 'green' } },
      ended: { by: 'agent:judge', why: 'decided' },
    });
    expect(formAnswersOf((await arrivalsOf(core.agent, task.messageId(2)))[0])).toMatchObject([
      { values: { colour: 'green' } },
    ]);
  });

  test.concurrent('that does not decide leaves the question to people, and operators are told why', async () => {
    const task = await core.engine.open('form => complete', { agent: 'hopeless' });
    const hold = await task.asked();
    await waitFor(
      async () => (await task.details()).includes('supervisor: agent:lost'),
      20_000,
      'the word of the agent',
    );
    await task.decide(answer(hold, { colour: 'red' }), anna);
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({ decision: { by: 'anna' } });
  });
});

describe('a channel', () => {
  /** Events of a hold that the channel heard of, in their order. */
  const heardOf = (holdId: string): string[] =>
    sink.got.flatMap(({ body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { holdId: string } };
      return data.holdId === holdId ? [type] : [];
    });
  const hears = (holdId: string, ...events: string[]): Promise<unknown> =>
    waitFor(() => Promise.resolve(events.every((event) => heardOf(holdId).includes(event))), 20_000, events.join());

  test.concurrent(
    'hears that a question opened, is reminded of and is decided, from a workflow beside the task',
    async () => {
      const task = await core.engine.open('form => complete', { agent: 'heard' });
      const hold = await task.asked();
      await hears(hold.holdId, 'hold.opened', 'hold.reminder');
      await task.decide(answer(hold, { colour: 'green' }), anna);
      await task.status('DONE');
      await hears(hold.holdId, 'hold.decided');
      expect(heardOf(hold.holdId)).toHaveLength(3);
      const notice = core.engine.client.workflow.getHandle(`notice/${hold.holdId}/opened-0`);
      expect(await notice.result()).toEqual({ failed: [] });
    },
  );

  test.concurrent('hears that nobody answered', async () => {
    const task = await core.engine.open('form => complete', { agent: 'unheard' });
    const hold = await task.hold();
    await task.status('FAILED');
    await hears(hold.holdId, 'hold.expired');
  });
});
