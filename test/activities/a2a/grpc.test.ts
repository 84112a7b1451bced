// What is gRPC's own of an agent that speaks it. That its messages, tasks and errors are those of the other bindings is held by
// a2a-transport.test.ts, and that no closed address is connected to by egress.test.ts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { webAddressOf } from '../../../src/core/turn/agent-interface.ts';
import { makeCertificate } from '../../rigs/certificates.ts';
import {
  aCall,
  cardOf,
  collect,
  failureOf,
  listen,
  say,
  startAgent,
  stateOf,
  stopServers,
  transportTo,
} from '../a2a-agents.ts';

beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) server.forceShutdown();
  await stopServers();
});

/** A card that names this address for gRPC. */
const cardNaming = (address: string): Promise<string> =>
  listen((own) => (_, response) => {
    const supportedInterfaces = [{ url: address, protocolBinding: 'GRPC', protocolVersion: '1.0' }];
    response.end(JSON.stringify({ ...cardOf(own), supportedInterfaces }));
  });

type Fails = (metadata: Record<string, unknown>) => { code: number; details: string };

/** A server that fails each call in this way. */
async function startFailing(fails: Fails, credentials = ServerCredentials.createInsecure()): Promise<string> {
  const server = new Server();
  servers.push(server);
  const failing = (call: {
    metadata: { getMap(): Record<string, unknown> };
    emit(name: string, error: unknown): void;
  }) => call.emit('error', fails(call.metadata.getMap()));
  const unary = (
    { metadata }: { metadata: { getMap(): Record<string, unknown> } },
    done: (error: unknown) => void,
  ): void => done(fails(metadata.getMap()));
  server.addService(A2AService, {
    ...Object.fromEntries(Object.keys(A2AService).map((name) => [name, unary])),
    sendStreamingMessage: failing,
    subscribeToTask: failing,
  });
  const port = await new Promise<number>((done, failed) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error === null ? done(bound) : failed(error))),
  );
  return `127.0.0.1:${port}`;
}

// Promise B9g
describe('an agent that speaks gRPC', () => {
  test.each([
    ['agent:50051', 'http://h/', 'http://agent:50051'],
    ['agent:50051', 'https://h/', 'https://agent:50051'],
    ['dns:///agent:50051', 'https://h/', 'https://agent:50051'],
    ['grpc://agent:1', 'https://h/', 'http://agent:1'],
    ['grpcs://agent:1', 'http://h/', 'https://agent:1'],
    ['https://agent', 'http://h/', 'https://agent'],
  ])('an agent that speaks gRPC at %s, configured at %s, is called at %s', (url, base, address) => {
    expect(webAddressOf({ url, protocolBinding: 'grpc' }, base)).toBe(address);
  });

  test('an agent that speaks gRPC at another origin than its own is refused until the configuration permits it', async () => {
    const url = await cardNaming('127.0.0.1:1');
    const transport = transportTo(url);
    const error = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(error)).toMatchObject({
      what: 'policy',
      message: expect.stringContaining('http://127.0.0.1:1'),
    });
  });

  test('an agent that speaks gRPC is called without the proxy that the environment names', async () => {
    const url = await startAgent({ binding: 'GRPC' });
    process.env['http_proxy'] = process.env['grpc_proxy'] = 'http://127.0.0.1:1';
    try {
      const events = await collect(transportTo(url).sendStream(say('echo'), aCall()));
      expect(events.map(stateOf).at(-1)).toBe('completed');
    } finally {
      delete process.env['http_proxy'];
      delete process.env['grpc_proxy'];
    }
  });

  test.each([
    ['UNAUTHENTICATED', { kind: 'final', what: 'http', status: 401, wasTaken: false }],
    ['PERMISSION_DENIED', { kind: 'final', what: 'http', status: 403, wasTaken: false }],
    ['UNIMPLEMENTED', { kind: 'final', what: 'no-method', wasTaken: false }],
    ['NOT_FOUND', { kind: 'final', what: 'task-not-found', wasTaken: false }],
    ['INVALID_ARGUMENT', { kind: 'final', what: 'refused', wasTaken: false }],
    ['UNAVAILABLE', { kind: 'retryable', what: 'network', wasTaken: 'unknown' }],
    ['RESOURCE_EXHAUSTED', { kind: 'retryable', what: 'http', status: 429, wasTaken: 'unknown' }],
    ['INTERNAL', { kind: 'retryable', what: 'agent-error', wasTaken: 'unknown' }],
    ['UNKNOWN', { kind: 'retryable', what: 'agent-error', wasTaken: 'unknown' }],
  ] as const)('an agent that speaks gRPC and answers %s proves no more than that', async (name, known) => {
    const address = await startFailing(() => ({ code: status[name], details: 'no' }));
    const transport = transportTo(await cardNaming(address), { allowOrigins: [`http://${address}`] });
    for (const act of [
      () => collect(transport.sendStream(say('x'), aCall())),
      () => transport.getTask('t', {}, aCall()),
    ])
      expect(transport.classify(await failureOf(act))).toMatchObject(known);
  });

  test('an agent that speaks gRPC gets the configured headers as metadata, and is not reached where its port is closed', async () => {
    const seen: unknown[] = [];
    const address = await startFailing((metadata) => {
      seen.push(metadata['x-key']);
      return { code: status.INTERNAL, details: 'no' };
    });
    const config = { allowOrigins: [`http://${address}`], headers: { 'X-Key': 'secret' } };
    const transport = transportTo(await cardNaming(address), config);
    await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(seen).toEqual(['secret']);
    for (const server of servers.splice(0)) server.forceShutdown();
    const error = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(error)).toMatchObject({ kind: 'not-sent', what: 'network', wasTaken: false });
  });

  test('an agent that speaks gRPC with a certificate that no known authority signed is not sent anything', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'standfast-grpc-'));
    const { keyFile, certFile } = makeCertificate(folder, 'localhost');
    const pair = { private_key: readFileSync(keyFile), cert_chain: readFileSync(certFile) };
    let calls = 0;
    const address = await startFailing(
      () => ({ code: status.INTERNAL, details: String((calls += 1)) }),
      ServerCredentials.createSsl(null, [pair], false),
    );
    rmSync(folder, { recursive: true });
    const transport = transportTo(await cardNaming(`grpcs://${address}`), { allowOrigins: [`https://${address}`] });
    const error = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(error)).toMatchObject({
      kind: 'not-sent',
      what: 'network',
      message: expect.stringMatching(/self.signed/),
    });
    expect(calls).toBe(0);
  });
});
