// Temporal's own command line, as operators use it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { resolveTemporal } from '../../../src/host/temporal/temporal-cli.ts';

const FailedSchema = z.object({ stdout: z.string(), stderr: z.string() });

/** What the command prints, whether it succeeds or not. */
export async function runTemporal(args: string[]): Promise<{ stdout: string; stderr: string; isOk: boolean }> {
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('a Temporal CLI is needed');
  return promisify(execFile)(source.path, args, { timeout: 30_000 }).then(
    (done) => ({ ...done, isOk: true }),
    (error: unknown) => ({ ...FailedSchema.parse(error), isOk: false }),
  );
}
