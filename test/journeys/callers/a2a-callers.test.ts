// Callers that others wrote, with an agent behind Standfast: the examples on the SDKs and on Google's ADK, and another Standfast.
import { describe, expect, test } from '@jest/globals';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { interruptsOf } from '../../rigs/streams/agui.ts';
import { startJsAgent } from '../../rigs/agents/js-agent.ts';
import { hasPython, startCaller } from '../../rigs/agents/python-agent.ts';
import { ended, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const { supervisor, up: back } = startProduct(async () => {
  const hello = await startJsAgent(supervisor, 'hello');
  const trip = await startJsAgent(supervisor, 'trip');
  return [
    `server: { grpc: { port: ${await supervisor.freePort()} } }`,
    'agents:',
    `  hello: { url: '${hello.url}' }`,
    `  trip: { url: '${trip.url}', policy: people }`,
    `  open-trip: { url: '${trip.url}', policy: caller }`,
    "policies: { people: { audience: ['role:travel'] }, caller: { ask: caller } }",
  ].join('\n');
});
/** Without gRPC. */
const { up: front } = startProduct(async () => {
  const hello = await startJsAgent(supervisor, 'hello');
  return [
    'agents:',
    `  chain: { url: '${back.url}/a2a/open-trip/', policy: caller }`,
    `  hello: { url: '${hello.url}' }`,
    'policies: { caller: { ask: caller } }',
  ].join('\n');
});

const key = 'a-key-of-the-example-callers-0123456789';
const { up: locked } = startProduct(async () => {
  const hello = await startJsAgent(supervisor, 'hello');
  return `agents: { hello: { url: '${hello.url}' } }\nauth: { keys: [{ user: shop, key: ${key} }] }`;
});

const address = (agent: string): string => `${back.url}/a2a/${agent}/`;
const written = ['caller.js', ...(hasPython ? ['caller.py'] : [])];

// Promise V12, V24
describe.each(written)('the example %s', (name) => {
  test('an example of a caller prints what the agent says', async () => {
    const process_ = startCaller(supervisor, name, [address('hello'), 'hi there']);
    await process_.waitForLine(/^WORKING I read your message\.$/, longMs);
    await process_.waitForLine(/^artifact: Hello, you said: hi there$/, longMs);
    await process_.waitForLine(/^COMPLETED$/, longMs);
    expect((await process_.exited).code).toBe(0);
  });

  test('an example of a caller says who is asked and where, and goes on to the end when they have answered', async () => {
    const process_ = startCaller(supervisor, name, [address('trip'), 'plan it']);
    await process_.waitForLine(/^WORKING Asked travel, until .*: Trip$/, longMs);
    const [, page = ''] = await process_.waitForLine(/^ {2}answer it at (\S+)$/, longMs);
    const id = page.split('/').at(-1) ?? '';
    await back.post(`/api/holds/${id}/decision`, { status: 'resolved', values: { days: 3 } });
    await process_.waitForLine(/^artifact: 3 days$/, longMs);
    await process_.waitForLine(/^COMPLETED$/, longMs);
    expect((await process_.exited).code).toBe(0);
  });
});

// Promise V12
test.each([...written, ...(hasPython ? ['adk_caller.py'] : [])])(
  'an example of a caller sends its key where Standfast has keys, and gets no answer without: %s',
  async (name) => {
    const args = [`${locked.url}/a2a/hello/`, 'hi there'];
    const known = startCaller(supervisor, name, args, { STANDFAST_API_KEY: key });
    await known.waitForLine(/Hello, you said: hi there/, longMs);
    expect((await known.exited).code).toBe(0);
    const refused = startCaller(supervisor, name, args);
    await refused.exited;
    expect(refused.output()).not.toContain('you said');
  },
);

(hasPython ? describe : describe.skip)('a RemoteA2aAgent of google-adk', () => {
  // Promise V12, V12a
  test('a RemoteA2aAgent of google-adk gets what the agent behind Standfast makes', async () => {
    // It refuses a card with a gRPC address, which has no scheme (docs/a2a.md).
    const process_ = startCaller(supervisor, 'adk_caller.py', [`${front.url}/a2a/hello/`, 'hi there']);
    await process_.waitForLine(/Hello, you said: hi there/, longMs);
    expect((await process_.exited).code).toBe(0);
  });
});

// Promise V12
describe('Standfast in front of Standfast', () => {
  test('Standfast in front of Standfast passes a question through both to the caller, and the answer back to the agent', async () => {
    const client = await createA2aCaller(`${front.url}/a2a/chain/`);
    const turn = await client.send('plan it');
    expect(turn.data[0]).toMatchObject({ type: 'a2a.hitl.form', formId: 'trip' });
    const answer = [{ data: { type: 'a2a.hitl.formResponse', formId: 'trip', values: { days: 4 } } }];
    const done = await client.send(answer, { taskId: turn.taskId });
    expect([...done.texts.values()]).toEqual(['4 days']);
  });

  test('Standfast in front of Standfast has the question of an agent behind both answered by people in front', async () => {
    const asked = ended(await front.run('chain', { threadId: 'people', text: 'plan it' }, longMs), 'interrupt');
    const [interrupt] = interruptsOf(asked);
    const resume = [{ interruptId: interrupt?.id ?? '', status: 'resolved' as const, payload: { days: 2 } }];
    ended(await front.run('chain', { threadId: 'people', resume }, longMs), 'success');
  });
});
