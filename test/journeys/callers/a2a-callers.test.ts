// Callers that others wrote, with an agent behind Standfast: the examples on the SDKs and on Google's ADK, and another Standfast.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { makeCertificate } from '../../rigs/certificates.ts';
import { interruptsOf } from '../../rigs/streams/agui.ts';
import { startJsAgent } from '../../rigs/agents/js-agent.ts';
import { hasPython, startCaller } from '../../rigs/agents/python-agent.ts';
import {
  callersInClear,
  callersInTls,
  type CallerResult,
  hasGoCaller,
  hasOldSdks,
  resultOf,
  type SdkCaller,
  startReceiver,
  startSdkCaller,
} from '../../rigs/agents/sdk-callers.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { ended, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const {
  supervisor,
  up: back,
  startAgain,
} = startProduct(async () => {
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

let certificate = '';
/** One agent alone, as gRPC of 0.3 needs it, with gRPC in TLS. */
const { up: alone } = startProduct(async () => {
  const trip = await startJsAgent(supervisor, 'trip');
  const { certFile, keyFile } = makeCertificate(await supervisor.tempDir('grpc'), 'localhost');
  certificate = certFile;
  return [
    `server: { grpc: { port: ${await supervisor.freePort()}, tls: { certFile: '${certFile}', keyFile: '${keyFile}' } } }`,
    `agents: { open-trip: { url: '${trip.url}', policy: caller } }`,
    'policies: { caller: { ask: caller } }',
  ].join('\n');
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

const has = (sdk: string): boolean => (sdk.startsWith('Go') ? hasGoCaller : hasOldSdks);

const played = (pushUrl: string): CallerResult => ({
  asked: ['input-required', 'trip'],
  push: ['ours', pushUrl],
  joined: ['completed', '3 days'],
  answered: ['completed', '3 days'],
  cancelled: 'canceled',
});

/** What each of them comes to, and the state that its last push says. */
async function plays(sdk: SdkCaller, binding: string, agent: string, more: Record<string, string> = {}): Promise<void> {
  const { url, got } = await startReceiver(supervisor);
  const caller = startSdkCaller(supervisor, sdk, [agent, binding, url], more);
  expect(await resultOf(caller, longMs)).toEqual(played(url));
  const isEnd = /"state":"(TASK_STATE_COMPLETED|completed)"/;
  const end = await waitFor(() => got.find(({ body }) => isEnd.test(body)), longMs, 'a push of the end');
  expect(end.headers['x-a2a-notification-token']).toBe('a token');
  expect(isEnd.exec(end.body)?.[1]).toBe(sdk.endsWith('0.3') ? 'completed' : 'TASK_STATE_COMPLETED');
}

describe.each(callersInClear)('a caller on the SDK for %s over %s', (sdk, binding) => {
  (has(sdk) ? test : test.skip)(
    'a caller on an SDK is asked, sets up a push, joins its stream again, answers, is pushed to, and cancels another task',
    () => plays(sdk, binding, address('open-trip')),
  );
});

// Promise V24
test.each(callersInTls.filter(([sdk]) => has(sdk)))(
  'a caller on the SDK for %s speaks %s in TLS, and does all that it does in clear',
  (sdk, binding) => plays(sdk, binding, `${alone.url}/a2a/open-trip/`, { CALLER_CA: certificate }),
);

// One kill for all of them: a start takes as long as a test.
// Promise V2
const outliving = callersInClear.filter(([sdk]) => sdk.endsWith('1.0') && has(sdk));
(outliving.length === 0 ? test.skip : test)(
  'callers on the SDKs for Python and Go go on through kill -9 of Standfast between question and answer, by each binding',
  async () => {
    const waits = join(await supervisor.tempDir('callers'), 'go');
    const begun = await Promise.all(
      outliving.map(async ([sdk, binding]) => {
        const { url } = await startReceiver(supervisor);
        const names = [address('open-trip'), binding, url] as const;
        const caller = startSdkCaller(supervisor, sdk, [...names], { CALLER_WAITS: waits });
        await caller.waitForLine(/^waits$/, longMs);
        return { caller, url };
      }),
    );
    await back.process.kill9();
    await startAgain();
    await writeFile(waits, '');
    for (const { caller, url } of begun) expect(await resultOf(caller, longMs)).toEqual(played(url));
  },
);

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
