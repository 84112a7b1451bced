import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { commandLine, endProcess, findProcesses, processStart } from '../process/process-identity.ts';

const StateSchema = z.object({
  /** Zero: no server of this directory is known to run; only its ports are remembered. */
  pid: z.int().min(0),
  startTime: z.string(),
  port: z.int(),
  uiPort: z.int(),
  args: z.array(z.string()),
});

/** What `<dataDir>/temporal.json` remembers of the embedded server. */
export type ServerState = z.infer<typeof StateSchema>;

const stateFile = (dataDir: string): string => join(dataDir, 'temporal.json');

export function readServerState(dataDir: string): ServerState | null {
  try {
    return StateSchema.parse(JSON.parse(readFileSync(stateFile(dataDir), 'utf8')));
  } catch {
    // Missing, torn or of another version: the process list tells the rest.
    return null;
  }
}

export function writeServerState(dataDir: string, state: ServerState): void {
  mkdirSync(dataDir, { recursive: true });
  const whole = `${stateFile(dataDir)}.${process.pid}.tmp`;
  writeFileSync(whole, JSON.stringify(state));
  renameSync(whole, stateFile(dataDir));
}

const serves = (command: string, dbFile: string): boolean =>
  command.includes(' server start-dev ') && `${command} `.includes(` --db-filename ${dbFile} `);

/** True when the process of this state still runs and serves this database file. */
export async function isServing(state: ServerState, dbFile: string): Promise<boolean> {
  if (state.pid === 0 || (await processStart(state.pid)) !== state.startTime) return false;
  return serves((await commandLine(state.pid)) ?? '', dbFile);
}

/**
 * Ends every server on this database file except one: two of them on one SQLite file would spoil it. Found by their
 * command lines, since a kill may have come between starting one and noting it down.
 */
export async function endServersOf(dbFile: string, exceptPid: number, retryForMs: number): Promise<number[]> {
  const pids = (await findProcesses((command) => serves(command, dbFile))).filter((pid) => pid !== exceptPid);
  await Promise.all(
    pids.map(async (pid) => {
      const start = await processStart(pid);
      if (start !== null) await endProcess(pid, start, retryForMs);
    }),
  );
  return pids;
}
