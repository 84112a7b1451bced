// Callers over A2A on the official SDKs, each a program that plays the same task to its end (js/caller-v03.js,
// python/caller_*.py, go/caller.go).
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';

const python = process.env['STANDFAST_TEST_PYTHON'] ?? '';
/** Where scripts/a2a-v03-sdks.mjs installed the SDKs of A2A 0.3; absent where they cannot be had, and the tests are skipped. */
const installed = process.env['STANDFAST_TEST_A2A_V03'] ?? '';
export const hasOldSdks = python !== '' && installed !== '';

/** What scripts/go-caller.mjs built; absent where there is no Go, and its tests are skipped. */
const goCaller = process.env['STANDFAST_TEST_GO_CALLER'] ?? '';
export const hasGoCaller = goCaller !== '';

export type SdkCaller = 'JavaScript 0.3' | 'Python 0.3' | 'Python 1.0' | 'Go 0.3' | 'Go 1.0';

/** Who calls by which binding in clear. Standfast offers gRPC of 0.3 for one agent alone, and the rig has that one in TLS. */
export const callersInClear = [
  ['JavaScript 0.3', 'JSONRPC'],
  ['JavaScript 0.3', 'HTTP+JSON'],
  ['Python 0.3', 'JSONRPC'],
  ['Python 0.3', 'HTTP+JSON'],
  ['Python 1.0', 'JSONRPC'],
  ['Python 1.0', 'HTTP+JSON'],
  ['Python 1.0', 'GRPC'],
  ['Go 0.3', 'JSONRPC'],
  ['Go 0.3', 'HTTP+JSON'],
  ['Go 1.0', 'JSONRPC'],
  ['Go 1.0', 'HTTP+JSON'],
  ['Go 1.0', 'GRPC'],
] as const;
export const callersInTls = [
  ['JavaScript 0.3', 'GRPC'],
  ['Python 0.3', 'GRPC'],
  ['Python 1.0', 'GRPC'],
  ['Go 0.3', 'GRPC'],
  ['Go 1.0', 'GRPC'],
] as const;

const ResultSchema = z.object({
  asked: z.array(z.string()),
  push: z.array(z.string()),
  joined: z.array(z.string()),
  answered: z.array(z.string()),
  cancelled: z.string(),
});
export type CallerResult = z.infer<typeof ResultSchema>;

type Play = [url: string, binding: string, pushUrl: string];

/** Starts one against an agent that asks its caller for a trip; `pushUrl` is where it gets its pushes. `more` is its environment. */
export function startSdkCaller(
  supervisor: Supervisor,
  caller: SdkCaller,
  [url, binding, pushUrl]: Play,
  more: Record<string, string> = {},
): RigProcess {
  const at = (path: string): string => fileURLToPath(new URL(`./${path}`, import.meta.url));
  const quiet = { PYTHONDONTWRITEBYTECODE: '1', PYTHONWARNINGS: 'ignore', NO_PROXY: '127.0.0.1,localhost' };
  const [command, args, env] = {
    'JavaScript 0.3': [process.execPath, [at('js/caller-v03.js'), installed], {}] as const,
    // Found before the SDK of 1.0, which lies in the environment itself.
    'Python 0.3': [python, [at('python/caller_v03.py')], { PYTHONPATH: join(installed, 'python') }] as const,
    'Python 1.0': [python, [at('python/caller_v1.py')], {}] as const,
    'Go 0.3': [goCaller, ['0.3'], {}] as const,
    'Go 1.0': [goCaller, ['1.0'], {}] as const,
  }[caller];
  return supervisor.start({
    name: `caller on ${caller}`,
    command,
    args: [...args, url, binding, pushUrl],
    env: { ...quiet, ...env, ...more },
  });
}

/** What it prints at its end. */
export async function resultOf(caller: RigProcess, boundMs: number): Promise<CallerResult> {
  const [line] = await caller.waitForLine(/^\{.*\}$/, boundMs);
  return ResultSchema.parse(JSON.parse(line));
}

export interface Notification {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of push notifications on loopback, with all that it got; closed at the end of the supervisor. */
export async function startReceiver(supervisor: Supervisor): Promise<{ url: string; got: Notification[] }> {
  const got: Notification[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  supervisor.defer(() => new Promise((done) => server.close(done).closeAllConnections()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`, got };
}
