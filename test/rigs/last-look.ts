// What must be true at the end of every journey, whatever it was about.
import { Client, Connection } from '@temporalio/client';
import { replayAll } from './replays.ts';
import type { RigProcess, Supervisor } from './supervisor.ts';

/** However a journey went: nothing failed on our side, and a worker that was never there can go on with every task. */
export function lookLast(
  supervisor: Supervisor,
  running: RigProcess,
  { temporalAddress, namespace = 'default' }: { temporalAddress: string; namespace?: string },
): void {
  supervisor.lookLast(async () => {
    const failed = running
      .output()
      .split('\n')
      .filter((line) => line.includes('"a request failed"'));
    if (failed.length > 0) throw new Error(`${running.name} failed at requests:\n${failed.join('\n')}`);
    // One that was killed on purpose took its server with it, or its successor looks.
    if (!running.isRunning()) return;
    const connection = await Connection.connect({
      address: temporalAddress,
      connectTimeout: 5_000,
      channelArgs: { 'grpc.max_receive_message_length': -1 },
    });
    try {
      await replayAll(new Client({ connection, namespace }));
    } finally {
      await connection.close();
    }
  });
}
