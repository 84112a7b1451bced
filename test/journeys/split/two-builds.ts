// Two builds of the worker under Temporal's Worker Versioning take the work in turns, on any Temporal server.
import { expect } from '@jest/globals';
import { runProgram, writeConfig } from '../../rigs/product/standfast.ts';
import type { RigProcess, Supervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { decided, ended, greenDecision, longMs, openHold, runTemporal, waitForTask } from '../setting.ts';
import type { Api, Split } from './split.ts';

/** Open questions of the older one are answered under the newer one, and, when that is taken back, the other way round. */
export async function takeTurns(supervisor: Supervisor, split: Split, configText: string): Promise<void> {
  const startBuild = (id: string): Promise<RigProcess> => split.startWorker({ STANDFAST_BUILD_ID: id });

  let old = await startBuild('1');
  const api = await split.startApi();
  const [first, second] = [await ask(api, 'first'), await ask(api, 'second')];
  await untilDoctorSays('1 takes the work, has 2 open tasks');

  const newer = await startBuild('2');
  expect(newer.output()).toMatch(/another build takes the work/);
  await giveWorkTo('2');
  await old.stop();
  await answer(api, first);
  const third = await ask(api, 'third');
  await untilDoctorSays('2 takes the work, has 1 open task; 1 has 1 open task');

  old = await startBuild('1');
  await giveWorkTo('1');
  await newer.stop();
  await answer(api, third);
  await answer(api, second);
  await untilDoctorSays('1 takes the work, has 0 open tasks; 2 has 0 open tasks');

  /** As docs/operate/run.md says; refused until the server has seen a poll of each of its queues. */
  function giveWorkTo(id: string): Promise<string> {
    const command = 'worker deployment set-current-version --deployment-name standfast --yes --build-id'.split(' ');
    return waitFor(() => runTemporal(split.temporal.address, [...command, id]), longMs, `build ${id} to take the work`);
  }

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
}

async function ask(api: Api, threadId: string): Promise<HoldView> {
  ended(await api.run('fake', { threadId, text: 'form => complete' }, longMs), 'interrupt');
  return openHold(api, 'fake', threadId);
}

async function answer(api: Api, hold: HoldView): Promise<void> {
  expect((await decided(api, hold.id, greenDecision())).status).toBe(200);
  await waitForTask(api, hold.taskId, 'DONE');
}
