// Says of a failed first call to Temporal what is wrong and which setting to look at.
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { errnoCode, errorText } from '../process/errno.ts';
import type { TemporalTarget } from './temporal-connection.ts';
import { grpc } from './grpc-codes.ts';

/** Temporal cannot be used; the message names the cause and the cure. */
class TemporalNotUsableError extends Error {
  override name = 'TemporalNotUsableError';
}

const tryMs = 2_000;

interface GrpcFailure {
  code: number;
  details: string;
}

function grpcFailureIn(error: unknown): GrpcFailure | null {
  if (!(error instanceof Error)) return null;
  // Of a connection that does not come up the client gives no code.
  if (error.message === 'Failed to connect before the deadline') return { code: grpc.unavailable, details: '' };
  if (error.message === 'Failed to connect to Temporal server') return grpcFailureIn(error.cause);
  const { code, details } = error as Error & { code?: unknown; details?: unknown };
  return typeof code === 'number' ? { code, details: typeof details === 'string' ? details : error.message } : null;
}

/** Why the socket does not open, as an error; null when it does. */
function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Error | null> {
  return new Promise((resolve) => {
    const end = (result: Error | null): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(tryMs, () => end(new Error(`no answer within ${tryMs / 1000} s`)));
    socket.once(event, () => end(null));
    socket.once('error', end);
  });
}

/** gRPC reports most of these as a deadline, or with the note of a resolver: so the address is tried by hand. */
async function unreachable({ address, connection }: TemporalTarget): Promise<string> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  const refused = await opened(connectTcp({ host, port: Number(port) }), 'connect');
  if (refused !== null) {
    return ['ENOTFOUND', 'EAI_AGAIN'].includes(errnoCode(refused) ?? '')
      ? `the name in TEMPORAL_ADDRESS=${address} cannot be resolved: correct it`
      : `nothing answers at TEMPORAL_ADDRESS=${address} (${errorText(refused)}): start Temporal there, correct the address, or unset it, if standfast up shall start a server of its own`;
  }
  const tls = typeof connection.tls === 'object' && connection.tls !== null ? connection.tls : null;
  const handshake = await opened(
    connectTls({
      host,
      port: Number(port),
      ALPNProtocols: ['h2'],
      rejectUnauthorized: tls !== null,
      ...(tls?.serverNameOverride == null ? {} : { servername: tls.serverNameOverride }),
      ...(tls?.serverRootCACertificate == null ? {} : { ca: Buffer.from(tls.serverRootCACertificate) }),
      ...(tls?.clientCertPair == null
        ? {}
        : { cert: Buffer.from(tls.clientCertPair.crt), key: Buffer.from(tls.clientCertPair.key) }),
    }),
    'secureConnect',
  );
  if (tls === null) {
    return handshake === null
      ? `Temporal at ${address} expects TLS, but TLS is off: set TEMPORAL_TLS=true, or give TEMPORAL_API_KEY or a client certificate`
      : `what listens at TEMPORAL_ADDRESS=${address} does not answer as Temporal does: correct the address, or look why that server hangs`;
  }
  if (handshake === null)
    return `what listens at TEMPORAL_ADDRESS=${address} speaks TLS, but does not answer as Temporal does: correct the address, and check the client certificate`;
  const code = errnoCode(handshake) ?? '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of Temporal at ${address} is made out to another name (${errorText(handshake)}): set TEMPORAL_TLS_SERVER_NAME to a name in it`;
  if (/CERT|ISSUER|SIGNATURE/.test(code))
    return `the certificate of Temporal at ${address} is not trusted (${errorText(handshake)}): set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of its CA`;
  return `Temporal at ${address} does not speak TLS, but TLS is on (${code}): set TEMPORAL_TLS=false, or correct TEMPORAL_ADDRESS`;
}

async function messageOf({ code, details }: GrpcFailure, target: TemporalTarget): Promise<string | null> {
  const { address, namespace } = target;
  switch (code) {
    case grpc.unavailable:
    case grpc.deadlineExceeded:
      return unreachable(target);
    case grpc.notFound:
      return `Temporal at ${address} has no namespace "${namespace}": correct TEMPORAL_NAMESPACE, or create it: temporal operator namespace create --address ${address} --namespace ${namespace}`;
    case grpc.permissionDenied:
    case grpc.unauthenticated:
      return `Temporal at ${address} does not let this process into the namespace "${namespace}" (${details || 'no reason given'}): check TEMPORAL_API_KEY, or the client certificate in TEMPORAL_TLS_CLIENT_CERT_PATH`;
    case grpc.unimplemented:
      return `what listens at TEMPORAL_ADDRESS=${address} does not offer a call that Standfast needs (${details || 'UNIMPLEMENTED'}): it is not a Temporal server, an old one, or a proxy that lets only some calls pass`;
    default:
      return null;
  }
}

/** The error of a call to Temporal with cause and cure; others are returned as they are. */
export async function startFailure(error: unknown, target: TemporalTarget): Promise<unknown> {
  const failure = grpcFailureIn(error);
  const message = failure === null ? null : await messageOf(failure, target);
  return message === null ? error : new TemporalNotUsableError(message, { cause: error });
}
