// Two builds of the worker under Temporal's Worker Versioning: open questions of the older one are answered under the newer one,
// and, when that is taken back, those of the newer one under the older.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { runProgram, writeConfig } from '../../rigs/product/holdpoint.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { buildOnce, decided, ended, greenDecision, longMs, openHold, runTemporal, waitForTask } from '../setting.ts';
import { startSplit, type Api, type Split } from './split.ts';

const supervisor = createSupervisor();
let fake: FakeAgent;
let split: Split;
let api: Api;
let configText: string;

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  configText = `agents: { fake: { url: '${fake.url}' } }\nworker: { versioned: true }\n`;
  split = await startSplit(supervisor, configText);
});
afterAll(() => supervisor.end());

const startBuild = (id: string): Promise<RigProcess> => split.startWorker({ HOLDPOINT_BUILD_ID: id });

const ask = async (threadId: string): Promise<HoldView> => {
  ended(await api.run('fake', { threadId, text: 'form => complete' }, longMs), 'interrupt');
  return openHold(api, 'fake', threadId);
};

/** As docs/operate/run.md says. */
const giveWorkTo = (id: string): Promise<string> =>
  runTemporal(
    split.temporal.address,
    'worker deployment set-current-version --deployment-name holdpoint --yes --build-id'.split(' ').concat(id),
  );

async function doctorSays(): Promise<string> {
  const config = await writeConfig(supervisor, configText);
  const env = { TEMPORAL_ADDRESS: split.temporal.address };
  const { output } = await runProgram(supervisor, ['doctor', '--config', config], { env, boundMs: longMs });
  return /^.*\bbuilds: (.*)$/m.exec(output)?.[1] ?? output;
}

/** Temporal's lists are a moment behind. */
async function untilDoctorSays(text: string): Promise<void> {
  const seen = { last: '' };
  await waitFor(
    async () => (seen.last = await doctorSays()) === text,
    longMs,
    `doctor to say “${text}”`,
    () => seen.last,
  );
}

const answer = async (hold: HoldView): Promise<void> => {
  expect((await decided(api, hold.id, greenDecision())).status).toBe(200);
  await waitForTask(api, hold.taskId, 'DONE');
};

// Promise W27
describe('two builds of the worker', () => {
  test('an open question outlives the build that asked it, forward and back, and doctor says which build has which', async () => {
    let old = await startBuild('1');
    api = await split.startApi();
    const [first, second] = [await ask('first'), await ask('second')];
    await untilDoctorSays('1 takes the work, has 2 open tasks');

    const newer = await startBuild('2');
    expect(newer.output()).toMatch(/another build takes the work/);
    await giveWorkTo('2');
    await old.stop();
    await answer(first);
    const third = await ask('third');
    await untilDoctorSays('2 takes the work, has 1 open task; 1 has 1 open task');

    old = await startBuild('1');
    await giveWorkTo('1');
    await newer.stop();
    await answer(third);
    await answer(second);
    await untilDoctorSays('1 takes the work, has 0 open tasks; 2 has 0 open tasks');
  });
});
