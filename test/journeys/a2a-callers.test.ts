// Callers that others wrote, with an agent behind Holdpoint: the examples on the SDKs and on Google's ADK, and another Holdpoint.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createA2aCaller } from '../rigs/a2a-caller.ts';
import { interruptsOf } from '../rigs/agui.ts';
import { startUp } from '../rigs/holdpoint.ts';
import type { Up } from '../rigs/holdpoint.ts';
import { startJsAgent } from '../rigs/js-agent.ts';
import { hasPython, startCaller } from '../rigs/python-agent.ts';
import { createSupervisor } from '../rigs/supervisor.ts';
import { buildOnce, ended, longMs } from './setting.ts';

jest.setTimeout(180_000);
const supervisor = createSupervisor();
let back: Up;
let front: Up;

beforeAll(async () => {
  buildOnce();
  const hello = await startJsAgent(supervisor, 'hello');
  const trip = await startJsAgent(supervisor, 'trip');
  back = await startUp(supervisor, {
    dataDir: await supervisor.tempDir('back'),
    configText: [
      'agents:',
      `  hello: { url: '${hello.url}' }`,
      `  trip: { url: '${trip.url}', policy: people }`,
      `  open-trip: { url: '${trip.url}', policy: caller }`,
      "policies: { people: { audience: ['role:travel'] }, caller: { ask: caller } }",
    ].join('\n'),
  });
  front = await startUp(supervisor, {
    dataDir: await supervisor.tempDir('front'),
    configText: [
      `agents: { chain: { url: '${back.url}/a2a/open-trip/', policy: caller } }`,
      'policies: { caller: { ask: caller } }',
    ].join('\n'),
  });
}, 180_000);
afterAll(async () => {
  await supervisor.end();
});

const address = (agent: string): string => `${back.url}/a2a/${agent}/`;
const written = ['caller.js', ...(hasPython ? ['caller.py'] : [])];

describe.each(written)('the example %s', (name) => {
  test('prints what the agent says', async () => {
    const process_ = startCaller(supervisor, name, address('hello'), 'hi there');
    await process_.waitForLine(/^WORKING I read your message\.$/, longMs);
    await process_.waitForLine(/^artifact: Hello, you said: hi there$/, longMs);
    await process_.waitForLine(/^COMPLETED$/, longMs);
    expect((await process_.exited).code).toBe(0);
  });

  test('says who is asked and where, and goes on to the end when they have answered', async () => {
    const process_ = startCaller(supervisor, name, address('trip'), 'plan it');
    await process_.waitForLine(/^WORKING Asked travel, until .*: Trip$/, longMs);
    const [, page = ''] = await process_.waitForLine(/^ {2}answer it at (\S+)$/, longMs);
    const id = page.split('/').at(-1) ?? '';
    await back.post(`/api/holds/${id}/decision`, { status: 'resolved', values: { days: 3 } });
    await process_.waitForLine(/^artifact: 3 days$/, longMs);
    await process_.waitForLine(/^COMPLETED$/, longMs);
    expect((await process_.exited).code).toBe(0);
  });
});

(hasPython ? describe : describe.skip)('a RemoteA2aAgent of google-adk', () => {
  test('gets what the agent behind Holdpoint makes', async () => {
    const process_ = startCaller(supervisor, 'adk_caller.py', address('hello'), 'hi there');
    await process_.waitForLine(/Hello, you said: hi there/, longMs);
    expect((await process_.exited).code).toBe(0);
  });
});

describe('Holdpoint in front of Holdpoint', () => {
  test('passes a question through both to the caller, and the answer back to the agent', async () => {
    const client = await createA2aCaller(`${front.url}/a2a/chain/`);
    const turn = await client.send('plan it');
    expect(turn.data[0]).toMatchObject({ type: 'a2a.hitl.form', formId: 'trip' });
    const answer = [{ data: { type: 'a2a.hitl.formResponse', formId: 'trip', values: { days: 4 } } }];
    const done = await client.send(answer, { taskId: turn.taskId });
    expect([...done.texts.values()]).toEqual(['4 days']);
  });

  test('has the question of an agent behind both answered by people in front', async () => {
    const asked = ended(await front.run('chain', { threadId: 'people', text: 'plan it' }, longMs), 'interrupt');
    const [interrupt] = interruptsOf(asked);
    const resume = [{ interruptId: interrupt?.id ?? '', status: 'resolved' as const, payload: { days: 2 } }];
    ended(await front.run('chain', { threadId: 'people', resume }, longMs), 'success');
  });
});
