import { readFileSync } from 'node:fs';
import type { Connection, ConnectionOptions } from '@temporalio/client';
import type { PemSource, TemporalEnvironment } from '../process/environment.ts';
import { errorText } from '../process/errno.ts';

/** How to reach Temporal; what the client's Connection and the worker's NativeConnection take alike. */
export interface TemporalTarget {
  address: string;
  namespace: string;
  connection: Pick<ConnectionOptions, 'address' | 'tls'> & { apiKey?: string };
}

export const defaultNamespace = 'default';

/** The target of a server on this machine, without TLS. */
export function localTarget(address: string, namespace: string = defaultNamespace): TemporalTarget {
  return { address, namespace, connection: { address } };
}

function pem({ path, data }: PemSource, what: string): Uint8Array | undefined {
  if (path !== undefined && data !== undefined) {
    throw new Error(`${what}_PATH and ${what}_DATA are both set: expected one of them`);
  }
  if (data !== undefined) return Buffer.from(data);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${what}_PATH=${path} cannot be read: ${errorText(error)}`, { cause: error });
  }
}

/**
 * The target that the `TEMPORAL_*` variables name, or null without TEMPORAL_ADDRESS. As in Temporal's envconfig, TLS is
 * on when an API key or a certificate is given, unless TEMPORAL_TLS says otherwise. Throws naming the variable.
 */
export function temporalTarget(from: TemporalEnvironment): TemporalTarget | null {
  if (from.address === undefined) return null;
  const address = /:\d+$/.test(from.address) ? from.address : `${from.address}:7233`;
  const crt = pem(from.clientCert, 'TEMPORAL_TLS_CLIENT_CERT');
  const key = pem(from.clientKey, 'TEMPORAL_TLS_CLIENT_KEY');
  if ((crt === undefined) !== (key === undefined)) {
    throw new Error('TEMPORAL_TLS_CLIENT_CERT and TEMPORAL_TLS_CLIENT_KEY belong together: only one of them is set');
  }
  const serverRootCACertificate = pem(from.serverCa, 'TEMPORAL_TLS_SERVER_CA_CERT');
  const tls = {
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
    ...(serverRootCACertificate ? { serverRootCACertificate } : {}),
    ...(from.serverName === undefined ? {} : { serverNameOverride: from.serverName }),
  };
  const isTls = from.isTls ?? (from.apiKey !== undefined || Object.keys(tls).length > 0);
  return {
    address,
    namespace: from.namespace ?? defaultNamespace,
    connection: {
      address,
      tls: isTls ? tls : false,
      ...(from.apiKey === undefined ? {} : { apiKey: from.apiKey }),
    },
  };
}

/** Between two tries of a client to connect. grpc-js waits up to 120 s, and an api would refuse for as long after an outage. */
const mostBackoffMs = 5_000;

/** Options of a client connection that outlives an outage of Temporal. */
export const lastingConnection = (target: TemporalTarget): TemporalTarget['connection'] & ConnectionOptions => ({
  ...target.connection,
  channelArgs: { 'grpc.max_reconnect_backoff_ms': mostBackoffMs },
});

/**
 * Opens a client connection, does the work, closes it; each call inside is bounded by `withinMs`. The client is loaded with its
 * first use: half of what `up` loads, it would keep the server that `up` starts waiting.
 */
export async function withConnection<T>(
  target: TemporalTarget,
  withinMs: number,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { Connection } = await import('./sdk-connection.ts');
  const connection = Connection.lazy({ ...target.connection, connectTimeout: withinMs });
  try {
    return await connection.withDeadline(Date.now() + withinMs, () => work(connection));
  } finally {
    await connection.close();
  }
}
