// Outgoing gRPC, under the same rules as `createGuardedFetch`: only to addresses that egress allows, which are resolved and
// judged here and then connected to literally. gRPC itself resolves no name, and takes no proxy from the environment.
import { createSecureContext } from 'node:tls';
import { Channel, credentials, experimental } from '@grpc/grpc-js';
import type { Egress } from './egress.ts';

const scheme = 'judged';
const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Takes the addresses as they are, of both families; the libraries' own schemes take one family alone, or a name. */
class JudgedAddresses implements experimental.Resolver {
  readonly #target: experimental.GrpcUri;
  readonly #listener: experimental.ResolverListener;
  #isKnown = false;

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener) {
    this.#target = target;
    this.#listener = listener;
  }

  updateResolution(): void {
    // They never change, and each answer has the library try all of them at once: a second one would never end.
    if (this.#isKnown) return;
    this.#isKnown = true;
    const endpoints = this.#target.path.split(',').flatMap((text) => {
      const read = experimental.splitHostPort(text);
      return read === null ? [] : [{ addresses: [{ host: read.host, port: read.port ?? 0 }] }];
    });
    process.nextTick(() => {
      if (this.#isKnown) this.#listener(experimental.statusOrFromValue(endpoints), {}, null, '');
    });
  }

  destroy(): void {
    this.#isKnown = false;
  }

  static getDefaultAuthority(target: experimental.GrpcUri): string {
    return target.path;
  }
}
experimental.registerResolver(scheme, JudgedAddresses);

export interface GuardedChannelOptions {
  /** `http:` is in clear; `https:` is checked against the system's roots and those of NODE_EXTRA_CA_CERTS, as HTTP is. */
  url: URL;
  /** As `addressesOf` judged them. */
  addresses: readonly string[];
  /** Largest message that is received. */
  maxBytes: number;
  /** For what only reads: a request whose connection ends before it is answered goes once more. */
  mayRepeat: boolean;
}

/** The addresses of a host that egress allows; throws PolicyError when there are none. */
export function addressesOf(url: URL, egress: Egress): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  egress.check(host);
  return new Promise((resolve, reject) => {
    egress.lookup(host, { all: true }, (error, found) => {
      if (error !== null && error !== undefined) reject(error);
      else resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address));
    });
  });
}

export function createGuardedChannel({ url, addresses, maxBytes, mayRepeat }: GuardedChannelOptions): Channel {
  const port = url.port === '' ? (defaultPorts[url.protocol] ?? '443') : url.port;
  const literal = addresses.map((address) => (address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`));
  const isSecure = url.protocol === 'https:';
  return new Channel(
    `${scheme}:${literal.join(',')}`,
    // The authorities of gRPC itself are those of a variable of its own where the environment has it.
    isSecure ? credentials.createFromSecureContext(createSecureContext()) : credentials.createInsecure(),
    {
      'grpc.default_authority': url.host,
      ...(isSecure ? { 'grpc.ssl_target_name_override': url.hostname.replace(/^\[|\]$/g, '') } : {}),
      'grpc.enable_http_proxy': 0,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': mayRepeat ? 1 : 0,
      'grpc.max_receive_message_length': maxBytes,
      'grpc.max_send_message_length': -1,
      'grpc.client_idle_timeout_ms': idleMs,
    },
  );
}

/** As long as connections of HTTP are kept. */
const idleMs = 30_000;
