// The gRPC port of the A2A servers: each call is the same call over JSON-RPC to this server, so what is tried here is the way
// there and back. Behind it is an agent of the JavaScript SDK in place of Standfast's own HTTP.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type GrpcServer, startGrpcServer } from '../../../src/api/a2a/grpc-server.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { choosePort } from '../../../src/host/net/free-port.ts';
import { makeCertificate } from '../../rigs/certificates.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  aCall,
  cardOf,
  collect,
  failureOf,
  idOf,
  listen,
  say,
  startAgent,
  stateOf,
  stopServers,
  transportTo,
} from '../../activities/a2a-agents.ts';

beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
const open: { stop(): void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) one.stop();
  await stopServers();
});

interface Front {
  grpc: GrpcServer;
  asked: { url: string; headers: IncomingMessage['headers'] }[];
  /** A transport that reads of the port in a card with this tenant. */
  by(tenant: string, config?: Record<string, unknown>): Promise<ReturnType<typeof transportTo>>;
}

interface FrontOptions {
  refusal?: { status: number; body: object };
  agents?: string[];
  tls?: { certFile: string; keyFile: string };
  warn?: (fields: object, text: string) => void;
}

async function startFront({
  refusal,
  agents = ['payer', 'other'],
  tls,
  warn = () => undefined,
}: FrontOptions = {}): Promise<Front> {
  const agent = new URL(await startAgent());
  const asked: Front['asked'] = [];
  const ownUrl = await listen(() => (request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers });
    if (refusal !== undefined) {
      request.resume();
      response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal.body));
      return;
    }
    // As Standfast's own routes: one address for each agent.
    const passed = new URL('/a2a', agent);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      void fetch(passed, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': String(request.headers['a2a-version']) },
        body: Buffer.concat(chunks),
        signal: gone.signal,
      })
        .then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
          for await (const chunk of answer.body ?? []) response.write(chunk);
          response.end();
        })
        .catch(() => response.destroy());
    });
  });
  const port = await choosePort([]);
  const config = ConfigSchema.parse({
    agents: Object.fromEntries(agents.map((name) => [name, { url: 'http://127.0.0.1:1/' }])),
    server: { grpc: { port, ...(tls === undefined ? {} : { tls }) } },
  });
  const grpc = await startGrpcServer({ config, host: '127.0.0.1', ownUrl, log: { warn }, renewMs: 20 });
  if (grpc === undefined) throw new Error('no gRPC');
  open.push(grpc);
  const by: Front['by'] = async (tenant, more = {}) => {
    const supportedInterfaces = [{ url: `127.0.0.1:${port}`, protocolBinding: 'GRPC', protocolVersion: '1.0', tenant }];
    const card = await listen(
      (own) => (_, response) => response.end(JSON.stringify({ ...cardOf(own), supportedInterfaces })),
    );
    return transportTo(card, { allowOrigins: [`http://127.0.0.1:${port}`], ...more });
  };
  return { grpc, asked, by };
}

// Promise V24
describe('the gRPC port of the A2A servers', () => {
  test('the gRPC port of the A2A servers passes a task on to its agent: streamed, asked, answered, read, joined and cancelled', async () => {
    const { by, asked } = await startFront();
    const transport = await by('payer');
    const first = await collect(transport.sendStream(say('ask'), aCall()));
    expect(first.map(stateOf)).toEqual(['submitted', 'working', 'input-required']);
    const answered = await collect(transport.sendStream(say('done', { taskId: idOf(first[0]) }), aCall()));
    expect(answered.map(stateOf).at(-1)).toBe('completed');
    expect(await transport.getTask(idOf(first[0]), {}, aCall())).toMatchObject({ type: 'task', state: 'completed' });
    const [waiting] = await collect(transport.sendStream(say('wait', { mode: 'send' }), aCall()));
    const joined = transport.resubscribe(idOf(waiting), aCall())[Symbol.asyncIterator]();
    expect((await joined.next()).value).toMatchObject({ type: 'task', a2aTaskId: idOf(waiting) });
    const next = joined.next();
    expect(await transport.cancel(idOf(waiting), aCall())).toMatchObject({ state: 'canceled' });
    expect((await next).value).toMatchObject({ type: 'status', state: 'canceled' });
    expect(new Set(asked.map(({ url }) => url))).toEqual(new Set(['/a2a/payer/']));
    expect(new Set(asked.map(({ headers }) => headers['a2a-version']))).toEqual(new Set(['1.0']));
  });

  test('the gRPC port of the A2A servers takes keys, extensions and whom a back end acts for as metadata, and nothing else', async () => {
    const { by, asked } = await startFront();
    const headers = { authorization: 'Bearer k', 'standfast-on-behalf-of': 'ann', cookie: 'session=1', host: 'evil' };
    const transport = await by('payer', { headers, extensions: ['urn:x'] });
    await collect(transport.sendStream(say('echo'), aCall()));
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'standfast-on-behalf-of': 'ann',
      'a2a-extensions': 'urn:x',
    });
    expect(asked[0]?.headers).not.toHaveProperty('cookie');
    expect(asked[0]?.headers.host).toMatch(/^127\.0\.0\.1:/);
  });

  test.each([
    [401, { detail: 'send a key' }, { kind: 'final', what: 'http', status: 401, wasTaken: false }],
    [403, { detail: 'not yours' }, { kind: 'final', what: 'http', status: 403, wasTaken: false }],
    [404, { detail: 'there is no agent' }, { kind: 'final', what: 'task-not-found', wasTaken: false }],
    [429, { detail: 'at most 10' }, { kind: 'retryable', status: 429 }],
    [
      503,
      { jsonrpc: '2.0', error: { code: 503, message: 'Temporal is away' } },
      { kind: 'retryable', what: 'network' },
    ],
  ])(
    'the gRPC port of the A2A servers answers HTTP %s by its own status, in the same words',
    async (status, body, known) => {
      const { by } = await startFront({ refusal: { status, body } });
      const transport = await by('payer');
      const words = 'detail' in body ? body.detail : body.error?.message;
      for (const act of [
        () => collect(transport.sendStream(say('x'), aCall())),
        () => transport.getTask('t', {}, aCall()),
      ]) {
        const found = transport.classify(await failureOf(act));
        expect(found).toMatchObject(known);
        expect(found.message).toContain(words);
      }
    },
  );

  test('the gRPC port of the A2A servers answers errors of A2A by their names', async () => {
    const transport = await (await startFront()).by('payer');
    const error = await failureOf(() => transport.getTask('nope', {}, aCall()));
    expect(transport.classify(error)).toMatchObject({ what: 'task-not-found', wasTaken: false });
  });

  test('the gRPC port of the A2A servers takes the only agent for one that is not named, and refuses where there are several', async () => {
    const one = await startFront({ agents: ['payer'] });
    await collect((await one.by('')).sendStream(say('echo'), aCall()));
    expect(one.asked[0]?.url).toBe('/a2a/payer/');
    const several = await startFront();
    const transport = await several.by('');
    const error = await failureOf(() => collect(transport.sendStream(say('echo'), aCall())));
    expect(transport.classify(error)).toMatchObject({ what: 'refused', message: expect.stringContaining('as tenant') });
    const strange = await several.by('..');
    await failureOf(() => strange.getTask('t', {}, aCall()));
    expect(several.asked).toEqual([]);
  });

  test('the gRPC port of the A2A servers has a renewed certificate without a restart, and keeps the one before while files are of two pairs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'standfast-grpc-'));
    const [one, two] = ['one', 'two'].map((name) => makeCertificate(folder, name));
    if (one === undefined || two === undefined) throw new Error('no pairs');
    const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    const use = (from: string, to: string): void => copyFileSync(from, to);
    use(one.certFile, tls.certFile);
    use(one.keyFile, tls.keyFile);
    const warn = jest.fn<(fields: object, text: string) => void>();
    const { grpc } = await startFront({ tls, warn });
    expect(await shownBy(grpc.port)).toBe(one.fingerprint);
    use(two.certFile, tls.certFile);
    await waitFor(() => warn.mock.calls.length === 1, 5_000, 'a warning');
    expect(await shownBy(grpc.port)).toBe(one.fingerprint);
    use(two.keyFile, tls.keyFile);
    await waitFor(async () => (await shownBy(grpc.port)) === two.fingerprint, 5_000, 'the renewed certificate');
    rmSync(folder, { recursive: true });
  });
});

/** Fingerprint of the certificate by which this port answers. */
function shownBy(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
