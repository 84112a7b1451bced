// Every way out, led to every address that is closed to all: no connection is made, and the error names the reason.
import { type LookupFunction, isIP, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pushOf } from '../../src/activities/a2a/push-target.ts';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import { createEgress, type Egress } from '../../src/host/net/egress.ts';
import { sendMail, sendSlack, sendTeams, sendWebhook } from '../../src/host/net/notice-channels.ts';
import { createTokenSource } from '../../src/host/net/oauth.ts';
import type { Store } from '../../src/store/store.ts';
import { openMemoryStore } from '../rigs/store/memory-store.ts';
import { aCall, cardOf, collect, failureOf, listen, say, stopServers, transportTo } from './a2a-agents.ts';
import { hostileAddresses, type HostileAddress } from './egress-addresses.ts';

const signal = new AbortController().signal;
let store: Store;
/** Ports of stubs, which may be connected to. */
const stubs = new Set<string>();
let connected: string[];

beforeAll(async () => void (store = await openMemoryStore()));
afterAll(() => store?.close());
beforeEach(() => {
  connected = [];
  const connect = Socket.prototype.connect;
  jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    // Reported once the name is resolved, when the system is about to be asked for a connection.
    this.on('connectionAttempt', (ip: string, port: number) => {
      if (!stubs.has(String(port))) connected.push(`${ip}:${port}`);
    });
    return Reflect.apply(connect, this, args);
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stopServers();
});

/** Everything but our own stub resolves to this address. */
function egressTo(address: string, isDenied: boolean): Egress {
  const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address, family: isIP(address) }]);
  return createEgress({ deny: isDenied ? ['private'] : [], allow: [] }, lookup);
}

/** The error in place of calling `http://<host>/`; null where nothing was refused. */
type Entry = (host: string, egress: Egress) => Promise<unknown>;

/** A card that is our own names an interface elsewhere, which the configuration permits. */
async function interfaceAt(named: object, host: string, egress: Egress): Promise<unknown> {
  const stub = await listen((own) => (_request, response) => {
    const [first] = cardOf(own).supportedInterfaces;
    const supportedInterfaces = [{ ...first, ...named }];
    response.end(JSON.stringify({ ...cardOf(own), supportedInterfaces }));
  });
  const { port } = new URL(stub);
  stubs.add(port);
  const config = { allowOrigins: [`http://${host}`] };
  const transport = transportTo(`http://${stubName}:${port}`, config, undefined, withStub(egress));
  return failureOf(() => collect(transport.sendStream(say('hello'), aCall())));
}

const entries: Record<string, Entry> = {
  'its card': async (host, egress) =>
    failureOf(() => transportTo(`http://${host}/`, {}, undefined, egress).card(aCall())),
  'an interface': (host, egress) => interfaceAt({ url: `http://${host}/a2a` }, host, egress),
  'an interface over gRPC': (host, egress) => interfaceAt({ url: `${host}:80`, protocolBinding: 'GRPC' }, host, egress),
  'a file': async (host, egress) => {
    const transport = transportTo('http://agent.example/', { allowOrigins: [`http://${host}`] }, undefined, egress);
    const read = await transport.readFile(`http://${host}/file`, { signal, maxBytes: 1000 });
    return read.result === 'read' ? null : Object.assign(new Error(read.why), { name: read.result });
  },
  'a token': async (host, egress) => {
    const client = { tokenUrl: `http://${host}/token`, clientId: 'c', clientSecret: 'its-secret' };
    return failureOf(() => createTokenSource(client, { egress }).token(null));
  },
  'a webhook': async (host, egress) => {
    const sink = { url: `http://${host}/hook`, secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0' };
    return failureOf(() => sendWebhook(sink, { id: 'm', at: new Date(), payload: {} }, { egress, signal }));
  },
  Teams: (host, egress) =>
    failureOf(() => sendTeams(`http://${host}/hook`, { text: 'hello', link: 'here' }, { egress, signal })),
  Slack: (host, egress) => failureOf(() => sendSlack(`http://${host}/hook`, 'hello', { egress, signal })),
  mail: (host, egress) => {
    const mail = {
      from: 'a@example.org',
      to: 'b@example.org',
      subject: 's',
      text: 't',
      html: null,
      id: 'i',
      thread: [],
    };
    return failureOf(() => sendMail(`smtp://${host}:2525`, mail, egress));
  },
};

/** The agent's own address, whose card names another. */
const stubName = 'stub.example';
const withStub = (egress: Egress): Egress => ({
  ...egress,
  lookup: (name, options, done) =>
    name === stubName ? done(null, [{ address: '127.0.0.1', family: 4 }]) : egress.lookup(name, options, done),
});

const refusal = /cloud metadata services|a private address/;

// Promise U1
describe.each(Object.keys(entries))('the request for %s', (name) => {
  const entry = entries[name] ?? failureOf.bind(null, () => Promise.resolve());
  const refused = async (address: HostileAddress, host: string, isDenied: boolean): Promise<string | null> => {
    const failure = await entry(host, egressTo(address.resolved, isDenied));
    const text = [failure, Object(failure).cause].map(String).join(' ');
    return refusal.test(text) ? null : `${address.written} by ${host}: ${text}`;
  };

  test('a request never leads to one of sixty hostile addresses that it writes out', async () => {
    const found = await Promise.all(hostileAddresses.map((address) => refused(address, address.written, true)));
    expect(found.filter((fault) => fault !== null)).toEqual([]);
    expect(connected).toEqual([]);
  });

  test('a request never leads to one of sixty hostile addresses to which its name resolves', async () => {
    const found = await Promise.all(hostileAddresses.map((address) => refused(address, 'agent.example', true)));
    expect(found.filter((fault) => fault !== null)).toEqual([]);
    expect(connected).toEqual([]);
  });

  test('a request never leads to a metadata service, though nothing is denied', async () => {
    const always = hostileAddresses.filter((address) => address.always);
    const found = await Promise.all(
      always.flatMap((address) => [refused(address, address.written, false), refused(address, 'agent.example', false)]),
    );
    expect(found.filter((fault) => fault !== null)).toEqual([]);
    expect(connected).toEqual([]);
  });
});

describe('an address for push notifications', () => {
  // Promise U1
  test('an address for push notifications is given to no agent where it is a metadata service', async () => {
    const given = await Promise.all(
      hostileAddresses
        .filter((address) => address.always)
        .map(async ({ written }) => {
          const publicUrl = `http://${written}/`;
          const agents = { a: { url: 'http://agent.example/' } };
          const config = ConfigSchema.parse({ agents, server: { publicUrl } });
          return (await pushOf({ config, store }, 'a')).push?.url ?? null;
        }),
    );
    expect(given.filter((url) => url !== null)).toEqual([]);
  });
});

describe('an address that is private', () => {
  // Promise U1
  test('an address that is private is called where a range of egress.allow has it, also by its mapped form', async () => {
    const stub = await listen((own) => (_request, response) => void response.end(JSON.stringify(cardOf(own))));
    const { port } = new URL(stub);
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1']) {
      const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address, family: isIP(address) }]);
      const egress = createEgress({ deny: ['private'], allow: ['127.0.0.0/8'] }, lookup);
      const config = { allowOrigins: [stub] };
      const card = await transportTo(`http://agent.example:${port}/`, config, undefined, egress).card(aCall());
      expect(card.name).toBe('test agent');
    }
    expect(connected).toEqual([`127.0.0.1:${port}`, `::ffff:127.0.0.1:${port}`]);
  });
});

test('the list has sixty addresses, no two alike', () => {
  expect(new Set(hostileAddresses.map(({ written }) => written)).size).toBe(60);
});
