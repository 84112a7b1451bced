import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import type { A2aTransport } from '../../../src/activities/a2a/a2a-transport.ts';
import { createEgress } from '../../../src/host/net/egress.ts';
import { createSigner } from '../../../src/host/secrets/signing.ts';
import { cardAddress } from '../../../src/activities/a2a/a2a-card.ts';
import {
  aCall,
  cardOf,
  collect,
  failureOf,
  knock,
  listen,
  say,
  startAgent,
  stateOf,
  stopServers,
  transportTo,
} from '../a2a-agents.ts';

// The SDK's server writes every refusal to the console.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(stopServers);

const rules = { deny: [], allow: [] };

describe('the agent card', () => {
  test.each([
    ['http://h/', 'http://h/.well-known/agent-card.json'],
    ['http://h/agents/a', 'http://h/agents/a/.well-known/agent-card.json'],
    ['http://h/x/card.json', 'http://h/x/card.json'],
  ])('the agent card of %s is read at %s', (url, address) => {
    expect(cardAddress(url).href).toBe(address);
  });

  test('the agent card is fetched once for many calls, and again after a failure', async () => {
    let cards = 0;
    let isBroken = true;
    const url = await listen((own) => (request, response) => {
      if (request.method === 'GET') {
        cards += 1;
        response.end(JSON.stringify(cardOf(own)));
      } else if (isBroken) request.socket.destroy();
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    });
    const transport = transportTo(url);
    await Promise.all([transport.card(aCall()), transport.card(aCall()), transport.supportsStreaming(aCall())]);
    expect(cards).toBe(1);
    await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    isBroken = false;
    await collect(transport.sendStream(say('x'), aCall()));
    await collect(transport.sendStream(say('x'), aCall()));
    expect(cards).toBe(2);
  });

  test('the agent card that a LangGraph server does not have at its root is named with the address to use', async () => {
    const body = JSON.stringify({ error: { message: 'Missing required query parameter: assistant_id' } });
    const url = await listen(() => (_, response) => response.writeHead(400).end(body));
    const transport = transportTo(url);
    const error = await failureOf(() => transport.card(aCall()));
    expect(transport.classify(error).message).toContain(`use ${new URL(url).origin}/a2a/<assistant id>`);
  });

  test.each([400, 404, 410])(
    'missing by %s is final for a message that begins a task, and an outage for all that is about a task',
    async (status) => {
      const url = await listen(() => (_, response) => response.writeHead(status).end('no card here'));
      const kindOf = async (act: (transport: A2aTransport) => Promise<unknown>): Promise<string> => {
        // Has never read a card, as one of a process that has just started.
        const transport = transportTo(url);
        return transport.classify(await failureOf(() => act(transport))).kind;
      };
      expect(await kindOf((to) => collect(to.sendStream(say('x'), aCall())))).toBe('final');
      const outages = [
        (to: A2aTransport) => collect(to.sendStream(say('x', { taskId: 't' }), aCall())),
        (to: A2aTransport) => collect(to.sendStream(say('x', { taskId: 't', mode: 'send' }), aCall())),
        (to: A2aTransport) => collect(to.resubscribe('t', aCall())),
        (to: A2aTransport) => to.getTask('t', {}, aCall()),
        (to: A2aTransport) => to.cancel('t', aCall()),
        (to: A2aTransport) => to.supportsStreaming(aCall()),
        (to: A2aTransport) => to.findByMessageId({ contextId: 'c', messageId: 'm' }, aCall()),
      ];
      expect(await Promise.all(outages.map(kindOf))).toEqual(outages.map(() => 'not-sent'));
    },
  );

  test('the agent card lies at the configured address itself where none lies below, whatever the address ends in', async () => {
    const agent = await startAgent();
    const asked: string[] = [];
    const url = await listen(() => (request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/agents/a?card=1') response.end(JSON.stringify(cardOf(agent)));
      else response.writeHead(404).end('no card here');
    });
    const transport = transportTo(`${url}/agents/a?card=1`, { allowOrigins: [agent] });
    expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
    asked.splice(0);
    // It then asks the agent for a task that it does not have.
    await expect(transport.ping(aCall())).rejects.toThrow('Task not found');
    expect(asked).toEqual(['/agents/a?card=1']);
  });

  test('the agent card is missing where neither the configured address nor the path below it is one, in the words of the path', async () => {
    const url = await listen(() => (request, response) => {
      if (request.url === '/agents/a') response.end('<html>an agent</html>');
      else response.writeHead(404).end('no card here');
    });
    const transport = transportTo(`${url}/agents/a`);
    const error = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(error)).toMatchObject({ kind: 'final', what: 'card', status: 404 });
  });

  // Promise U2
  test('the agent card that names an address of its own is followed to agents.<name>.endpoint, by its first binding', async () => {
    const agent = await startAgent({ binding: 'HTTP+JSON' });
    const own = { url: 'http://0.0.0.0:1/a2a', protocolVersion: '1.0' };
    const supportedInterfaces = [
      { ...own, protocolBinding: 'HTTP+JSON' },
      { ...own, protocolBinding: 'JSONRPC' },
    ];
    const card = { ...cardOf(agent), supportedInterfaces };
    const url = await listen(() => (_, response) => response.end(JSON.stringify(card)));
    const transport = transportTo(url, { endpoint: `${agent}/a2a` });
    expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
    const closed = transportTo(url, { endpoint: 'http://169.254.169.254/a2a' }, undefined, createEgress(rules));
    const error = await failureOf(() => collect(closed.sendStream(say('echo'), aCall())));
    expect(closed.classify(error)).toMatchObject({ what: 'policy', wasTaken: false });
  });

  // Promise B9f
  test('the agent card without a binding that is spoken here is a permanent error of its own for a message that begins a task, and an outage for all that is about one', async () => {
    const url = await listen((own) => (_, response) => {
      const [one] = cardOf(own).supportedInterfaces;
      response.end(JSON.stringify({ ...cardOf(own), supportedInterfaces: [{ ...one, protocolBinding: 'WEBSOCKET' }] }));
    });
    const transport = transportTo(url);
    const first = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(first)).toEqual({
      kind: 'final',
      what: 'no-binding',
      wasTaken: false,
      message: expect.stringContaining('offers WEBSOCKET only, and Standfast speaks JSONRPC, HTTP+JSON, GRPC'),
    });
    const later = await failureOf(() => transport.getTask('t', {}, aCall()));
    expect(transport.classify(later)).toMatchObject({ kind: 'not-sent', what: 'card' });
  });

  test('the agent card that names a foreign origin is refused unless the configuration allows it', async () => {
    const agent = await startAgent();
    const url = await listen(() => (_, response) => response.end(JSON.stringify(cardOf(agent))));
    const transport = transportTo(url);
    const error = await failureOf(() => collect(transport.sendStream(say('echo'), aCall())));
    expect(transport.classify(error)).toMatchObject({
      kind: 'not-sent',
      what: 'policy',
      wasTaken: false,
      message: expect.stringContaining(agent),
    });
    const allowed = transportTo(url, { allowOrigins: [agent] });
    expect((await collect(allowed.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
  });

  // Promise RC6
  test.each([
    ['signed by a key that is named', 'cd', 'card', 'completed'],
    ['signed by another key', 'ef', 'card', 'policy'],
    ['changed after it was signed', 'cd', 'changed', 'policy'],
    ['not signed', 'cd', 'unsigned', 'policy'],
  ])('the agent card that is %s is judged by agents.<name>.cardKeys', async (_what, by, served, outcome) => {
    const agent = await startAgent();
    const card = AgentCard.fromJSON(cardOf(agent));
    // Safe: canonical JSON of an object.
    const claims = JSON.parse(canonicalizeAgentCard(card)) as object;
    const [header = '', , signature = ''] = createSigner(by.repeat(32)).jwsOf('JOSE', claims).split('.');
    const signatures = served === 'unsigned' ? [] : [{ protected: header, signature, header: undefined }];
    const given = AgentCard.toJSON({ ...card, ...(served === 'changed' ? { name: 'Another' } : {}), signatures });
    const url = await listen(() => (_, response) => response.end(JSON.stringify(given)));
    const { jwk } = createSigner('cd'.repeat(32));
    const kid = createSigner(by.repeat(32)).jwk.kid;
    // Under the name of the signing key, so that its signature decides and not its name.
    const transport = transportTo(url, { allowOrigins: [agent], cardKeys: [{ ...jwk, kid }] });
    if (outcome === 'completed') {
      expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
      return;
    }
    const error = await failureOf(() => collect(transport.sendStream(say('echo'), aCall())));
    expect(transport.classify(error)).toMatchObject({ what: outcome, message: expect.stringContaining('cardKeys') });
  });

  test('an agent card of several interfaces has only those at allowed origins called', async () => {
    const url = await listen((own) => (request, response) => {
      const card = cardOf(own);
      const foreign = { url: 'http://169.254.169.254/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
      if (request.method === 'GET')
        response.end(JSON.stringify({ ...card, supportedInterfaces: [foreign, ...card.supportedInterfaces] }));
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    });
    const card = await transportTo(url).card(aCall());
    expect(card.supportedInterfaces.map((one) => one.url)).toEqual([`${url}/a2a`]);
  });

  test('the agent card whose interface names no version is taken for 1.0', async () => {
    const agent = await startAgent();
    const supportedInterfaces = [{ url: `${agent}/a2a`, protocolBinding: 'JSONRPC' }];
    const card = { ...cardOf(agent), supportedInterfaces, protocolVersion: '0.3', url: `${agent}/a2a` };
    const url = await listen(() => (_, response) => response.end(JSON.stringify(card)));
    const transport = transportTo(url, { allowOrigins: [agent] });
    expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
  });

  test.each([
    ['HTML', 200, '<html>'],
    ['no interfaces', 200, '{"name":"x"}'],
    ['null', 200, 'null'],
    ['an HTTP error', 503, 'later'],
  ])('the agent card that is %s means that nothing was sent', async (_, status, body) => {
    const url = await listen(() => (_request, response) => response.writeHead(status).end(body));
    const transport = transportTo(url);
    const error = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(error)).toMatchObject({ kind: 'not-sent', what: 'card', wasTaken: false });
  });

  // Promise B29
  test('the agent card that requires an extension which is not spoken here is refused with a word on what to do', async () => {
    const required = { uri: 'urn:must', required: true };
    const url = await listen(
      (own) => (_request, response) =>
        response.end(JSON.stringify({ ...cardOf(own), capabilities: { streaming: true, extensions: [required] } })),
    );
    const transport = transportTo(url);
    const error = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(error)).toMatchObject({
      kind: 'not-sent',
      what: 'policy',
      wasTaken: false,
      message: expect.stringMatching(/urn:must.*extensions in the configuration/),
    });
    const card = await transportTo(url, { extensions: ['urn:must'] }).card(aCall());
    expect(card.capabilities?.extensions).toEqual([required]);
  });
});

// Promise B28
describe.each<{ version: '1.0' | '0.3'; binding: 'JSONRPC' | 'HTTP+JSON' }>([
  { version: '1.0', binding: 'JSONRPC' },
  { version: '1.0', binding: 'HTTP+JSON' },
  { version: '0.3', binding: 'JSONRPC' },
  { version: '0.3', binding: 'HTTP+JSON' },
])('the extended card of an agent speaking A2A $version over $binding', (wire) => {
  const card = { capabilities: { streaming: true, extendedAgentCard: true } };

  test('the extended card of an agent takes the place of the public one', async () => {
    const extendedCard = { name: 'known better', skills: [{ id: 's', name: 's', description: '', tags: [] }] };
    const transport = transportTo(await startAgent({ ...wire, card, extendedCard }), { headers: knock });
    expect(await transport.card(aCall())).toMatchObject({ name: 'known better', skills: [{ id: 's' }] });
    expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
  });

  test('the extended card of an agent that cannot be had leaves the public one, with a warning', async () => {
    const warnings: object[] = [];
    const transport = transportTo(await startAgent({ ...wire, card }), {}, (facts) => warnings.push(facts));
    expect(await transport.card(aCall())).toMatchObject({ name: 'test agent' });
    expect(warnings).toEqual([{ agent: 'test', why: expect.stringMatching(/agent answered/) }]);
    expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
  });
});
