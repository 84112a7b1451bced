// The CopilotKit example (examples/copilotkit) as its readers start it: the published packages, a runtime and a page.
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';

/** Where scripts/copilotkit-packages.mjs installed the packages; absent where they cannot be had, and the tests are skipped. */
const installed = process.env['HOLDPOINT_TEST_COPILOTKIT'];
export const hasCopilotKit = installed !== undefined && installed !== '';

export interface CopilotKitExample {
  /** Base address, ends in `/`. */
  url: string;
  process: RigProcess;
}

/** Started from a copy, so that not a byte of the packages lies in the tree. */
export async function startCopilotKit(
  supervisor: Supervisor,
  holdpointUrl: string,
  port?: number,
): Promise<CopilotKitExample> {
  if (installed === undefined)
    throw new Error('HOLDPOINT_TEST_COPILOTKIT is not set: run scripts/copilotkit-packages.mjs');
  const dir = await supervisor.tempDir('copilotkit');
  await cp(fileURLToPath(new URL('../../../examples/copilotkit', import.meta.url)), dir, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  await symlink(join(installed, 'node_modules'), join(dir, 'node_modules'));
  const env = {
    HOLDPOINT_URL: holdpointUrl,
    PORT: String(port ?? (await supervisor.freePort())),
    COPILOTKIT_TELEMETRY_DISABLED: 'true',
    DO_NOT_TRACK: '1',
    NO_PROXY: '127.0.0.1,localhost',
  };
  const started = supervisor.start({
    name: 'copilotkit example',
    command: process.execPath,
    args: [join(dir, 'server.js')],
    env,
  });
  const [, url = ''] = await started.waitForLine(/ ready (http\S+)/, 60_000);
  return { url, process: started };
}
