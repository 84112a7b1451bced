// The official samples of the A2A JavaScript SDK, unmodified (a2a-js-samples/), each a process of its own.

import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Supervisor } from './supervisor.ts';

/** Samples by their folder. Those with `fixedPort` name the same port in their card, wherever they listen. */
export const jsSamples = {
  'sample-agent': { entry: 'agents/sample-agent', fixedPort: true },
  extensions: { entry: 'extensions', fixedPort: true },
  'cancellable-agent': { entry: 'agents/cancellable-agent', fixedPort: false },
  'push-notification-agent': { entry: 'agents/push-notification-agent', fixedPort: false },
  'compat-v1-server': { entry: 'agents/compat-v1-server', fixedPort: false },
} as const;
export type JsSample = keyof typeof jsSamples;

const folder = new URL('./a2a-js-samples/', import.meta.url);
const portInCards = 41_241;

/** Base address of a running sample, ends in `/`. */
export async function startJsSample(supervisor: Supervisor, name: JsSample): Promise<string> {
  const { entry, fixedPort } = jsSamples[name];
  const port = await supervisor.freePort();
  const sample = supervisor.start({
    name: `${name} of the SDK`,
    command: process.execPath,
    args: ['--import', 'tsx', fileURLToPath(new URL(`src/samples/${entry}/index.ts`, folder))],
    env: {
      PORT: String(port),
      HTTP_PORT: String(port),
      GRPC_PORT: String(await supervisor.freePort()),
      TSX_TSCONFIG_PATH: fileURLToPath(new URL('tsconfig.json', folder)),
    },
  });
  await sample.waitForLine(/started on http:/, 60_000);
  const base = `http://localhost:${port}/`;
  return fixedPort ? startGateway(supervisor, base) : base;
}

/** Stands before a sample as a gateway does: its card names the gateway's address, all else goes through. */
async function startGateway(supervisor: Supervisor, behind: string): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET' } = request;
      const headers = Object.entries(request.headers).flatMap(([key, value]): [string, string][] =>
        typeof value === 'string' && !['host', 'connection', 'content-length'].includes(key) ? [[key, value]] : [],
      );
      const body = method === 'GET' ? null : await text(request);
      const answer = await fetch(new URL(request.url ?? '/', behind), { method, headers, body });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
      if (method === 'GET')
        return response.end((await answer.text()).replaceAll(`http://localhost:${portInCards}/`, base));
      for await (const chunk of answer.body ?? []) response.write(chunk);
      return response.end();
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  supervisor.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return base;
}
