// Examples that are pages of other people's making, as their readers start them: the published packages and a server for the
// page. Each is started from a copy, so that not a byte of the packages lies in the tree.
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';

/** Where scripts/front-end-packages.mjs installed them; absent where they cannot be had, and their tests are skipped. */
const { STANDFAST_TEST_COPILOTKIT: copilotKit, STANDFAST_TEST_FRONT_ENDS: frontEnds } = process.env;
export const hasCopilotKit = (copilotKit ?? '') !== '';
export const hasFrontEnds = (frontEnds ?? '') !== '';

export interface FrontEndExample {
  /** Base address, ends in `/`. */
  url: string;
  process: RigProcess;
}

async function start(
  supervisor: Supervisor,
  name: string,
  installed: string | undefined,
  env: Record<string, string>,
): Promise<FrontEndExample> {
  if (installed === undefined) throw new Error(`no packages of ${name}: run scripts/front-end-packages.mjs`);
  // The whole of them: one has its form from another.
  const examples = await supervisor.tempDir('examples');
  await cp(fileURLToPath(new URL('../../../examples', import.meta.url)), examples, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  const dir = join(examples, name);
  await symlink(join(installed, 'node_modules'), join(dir, 'node_modules'));
  const started = supervisor.start({
    name: `${name} example`,
    command: process.execPath,
    args: [join(dir, 'server.js')],
    env: { ...env, NO_PROXY: '127.0.0.1,localhost' },
  });
  const [, url = ''] = await started.waitForLine(/ ready (http\S+)/, 60_000);
  return { url, process: started };
}

export const startCopilotKit = async (
  supervisor: Supervisor,
  standfastUrl: string,
  port?: number,
): Promise<FrontEndExample> =>
  start(supervisor, 'copilotkit', copilotKit, {
    STANDFAST_URL: standfastUrl,
    PORT: String(port ?? (await supervisor.freePort())),
    COPILOTKIT_TELEMETRY_DISABLED: 'true',
    DO_NOT_TRACK: '1',
  });

/** Its port is known before it starts: Standfast must name its origin. */
export const startFrontEnds = (supervisor: Supervisor, standfastUrl: string, port: number): Promise<FrontEndExample> =>
  start(supervisor, 'front-ends', frontEnds, { STANDFAST_URL: standfastUrl, PORT: String(port) });
