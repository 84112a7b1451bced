// The first call to Temporal fails in many ways; each names its cause and the setting that cures it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer, createServer, type Http2SecureServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { startFailure } from '../../../src/host/temporal/start-failure.ts';
import { prepareNamespace } from '../../../src/host/temporal/temporal-setup.ts';
import { localTarget, type TemporalTarget } from '../../../src/host/temporal/temporal-connection.ts';

const servers = new Map<string, Http2Server | Http2SecureServer>();
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => new Promise((done) => server.close(done))));
});

/** Answers every call with this gRPC status, as a Temporal server or a proxy before it does. */
async function answering(
  statusOf: (path: string) => { code: number; message?: string },
  secrets?: { cert: string; key: string },
): Promise<TemporalTarget> {
  const server = secrets === undefined ? createServer() : createSecureServer(secrets);
  server.on('stream', (stream, headers) => {
    const { code, message = '' } = statusOf(String(headers[':path']));
    const trailers = { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) };
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    // An empty message: a byte of flags, and four of length.
    stream.end(code === 0 ? Buffer.alloc(5) : undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  servers.set(address, server);
  return localTarget(address, 'payments');
}

/** A certificate that no one has signed but itself. */
function selfSigned(): { cert: string; key: string } {
  const dir = mkdtempSync(join(tmpdir(), 'standfast-tls-'));
  try {
    const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
    const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', ['req', '-x509', ...made, ...named, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** `withinMs`: less where nothing answers, as all of it is waited for then. */
const failureOf = async (target: TemporalTarget, withinMs = 60_000): Promise<string> =>
  String(await prepareNamespace(target, { withinMs }).catch((error: unknown) => error));
const waitedMs = 5_000;

test.concurrent('a start says once, long before it gives up, that it waits for Temporal', async () => {
  const target = await answering(() => ({ code: 14 }));
  servers.get(target.address)?.close();
  servers.delete(target.address);
  let noted = 0;
  await expect(prepareNamespace(target, { withinMs: 4_000, onWait: () => (noted += 1) })).rejects.toThrow(
    'nothing answers at TEMPORAL_ADDRESS',
  );
  expect(noted).toBe(1);
});

describe('a start that fails at Temporal says', () => {
  test.concurrent('a start that fails at Temporal says that the namespace is missing, its name, and the command that creates it', async () => {
    const target = await answering(() => ({ code: 5, message: 'Namespace payments is not found.' }));
    const text = await failureOf(target);
    expect(text).toContain('has no namespace "payments"');
    expect(text).toContain('TEMPORAL_NAMESPACE');
    expect(text).toContain(`temporal operator namespace create --address ${target.address} --namespace payments`);
  });

  test.concurrent('a start that fails at Temporal says that the key or the certificate is refused', async () => {
    const text = await failureOf(await answering(() => ({ code: 7, message: 'Request unauthorized.' })));
    expect(text).toContain('Request unauthorized.');
    expect(text).toContain('TEMPORAL_API_KEY');
  });

  test.concurrent('a start that fails at Temporal says that what listens there is no Temporal server, where a call is not offered and no reason is given', async () => {
    const text = await failureOf(await answering(() => ({ code: 12 })));
    expect(text).toContain('does not offer a call that Standfast needs (UNIMPLEMENTED)');
    expect(text).toContain('TEMPORAL_ADDRESS');
  });

  test.concurrent('a start that fails at Temporal says that nothing listens at the address', async () => {
    const text = await failureOf(localTarget('127.0.0.1:9'), waitedMs);
    expect(text).toContain('nothing answers at TEMPORAL_ADDRESS=127.0.0.1:9 (connect ECONNREFUSED');
    expect(text).not.toContain('Resolution note');
  });

  test.concurrent('a start that fails at Temporal says that TLS is on where the server speaks none', async () => {
    const { address } = await answering(() => ({ code: 0 }));
    const text = await failureOf({ address, namespace: 'default', connection: { address, tls: {} } }, waitedMs);
    expect(text).toContain('set TEMPORAL_TLS=false');
  });

  test.concurrent('a start that fails at Temporal says that TLS is off where the server expects it', async () => {
    const { address } = await answering(() => ({ code: 0 }), selfSigned());
    expect(await failureOf(localTarget(address), waitedMs)).toContain('set TEMPORAL_TLS=true');
  });

  test.concurrent('a start that fails at Temporal says that the certificate is not trusted, and which setting names its CA', async () => {
    const { address } = await answering(() => ({ code: 0 }), selfSigned());
    const text = await failureOf({ address, namespace: 'default', connection: { address, tls: {} } }, waitedMs);
    expect(text).toContain('is not trusted (self-signed certificate)');
    expect(text).toContain('TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  });
});

test.concurrent('a connection that does not come up, of which the client gives no code, is explained by its cause, too', async () => {
  const target = localTarget('127.0.0.1:9');
  const late = await Connection.connect({ address: target.address, connectTimeout: 200 }).catch((error) => error);
  expect(String(late)).toBe('Error: Failed to connect before the deadline');
  expect(String(await startFailure(late, target))).toContain('nothing answers at TEMPORAL_ADDRESS=127.0.0.1:9');
});

test.concurrent('a namespace without the operator service is judged by queries, which name an unknown attribute', async () => {
  const target = await answering((path) =>
    path.includes('DescribeNamespace')
      ? { code: 0 }
      : path.includes('OperatorService')
        ? { code: 12 }
        : { code: 3, message: 'invalid query: no such search attribute' },
  );
  expect(await failureOf(target)).toContain('temporal operator search-attribute create --namespace payments');
});
