// Callers on the SDKs for JavaScript, Python and Go, by each version and binding of A2A, with an agent behind Standfast.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../rigs/certificates.ts';
import { startJsAgent } from '../../rigs/agents/js-agent.ts';
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
import { longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const { supervisor, up, startAgain } = startProduct(async () => {
  const trip = await startJsAgent(supervisor, 'trip');
  return [
    `server: { grpc: { port: ${await supervisor.freePort()} } }`,
    `agents: { open-trip: { url: '${trip.url}', policy: caller } }`,
    'policies: { caller: { ask: caller } }',
  ].join('\n');
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

const address = (): string => `${up.url}/a2a/open-trip/`;
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

// Promise V12
describe.each(callersInClear)('a caller on the SDK for %s over %s', (sdk, binding) => {
  (has(sdk) ? test : test.skip)(
    'a caller on an SDK is asked, sets up a push, joins its stream again, answers, is pushed to, and cancels another task',
    () => plays(sdk, binding, address()),
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
        const names = [address(), binding, url] as const;
        const caller = startSdkCaller(supervisor, sdk, [...names], { CALLER_WAITS: waits });
        await caller.waitForLine(/^waits$/, longMs);
        return { caller, url };
      }),
    );
    await up.process.kill9();
    await startAgain();
    await writeFile(waits, '');
    for (const { caller, url } of begun) expect(await resultOf(caller, longMs)).toEqual(played(url));
  },
);
