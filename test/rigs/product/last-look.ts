// What must be true at the end of every journey, whatever it was about.
import { Client, Connection } from '@temporalio/client';
import { replayAll } from '../engine/replays.ts';
import type { DataConverter } from '@temporalio/common';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { dataConverterOf } from '../../../src/host/temporal/payload-codec.ts';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';
import { leastBoundMs } from '../wait-for.ts';

/** Servers whose histories have been replayed at the end of what a supervisor started. */
const checked = new WeakMap<Supervisor, Set<string>>();

/** As the product has it by these keys. */
function converterOf({ STANDFAST_CODEC_KEY: codec, STANDFAST_SEAL_KEY: seal }: NodeJS.ProcessEnv): DataConverter {
  if (codec === undefined || seal === undefined) return {};
  return dataConverterOf(createCodecKeys(codec), createProver(seal), 'worker');
}

/** However a journey went: nothing failed on our side, and a worker that was never there can go on with every task. */
export function checkLast(
  supervisor: Supervisor,
  running: RigProcess,
  {
    temporalAddress,
    namespace = 'default',
    env = {},
  }: { temporalAddress: string; namespace?: string; env?: NodeJS.ProcessEnv },
): void {
  supervisor.checkLast(async () => {
    const failed = running
      .output()
      .split('\n')
      .filter((line) => line.includes('"a request failed"'));
    if (failed.length > 0) throw new Error(`${running.name} failed at requests:\n${failed.join('\n')}`);
    // One that was killed on purpose took its server with it, or its successor checks; one check of a server will do.
    const server = `${temporalAddress} ${namespace}`;
    const before = checked.get(supervisor) ?? new Set();
    if (!running.isRunning() || before.has(server)) return;
    checked.set(supervisor, before.add(server));
    const connection = await Connection.connect({
      address: temporalAddress,
      connectTimeout: leastBoundMs,
      channelArgs: { 'grpc.max_receive_message_length': -1 },
    });
    try {
      await replayAll(new Client({ connection, namespace }), converterOf(env));
    } finally {
      await connection.close();
    }
  });
}
