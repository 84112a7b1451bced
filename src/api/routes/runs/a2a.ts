// A2A servers, one in front of each agent: JSON-RPC and HTTP+JSON, A2A 1.0 and 0.3. Who calls is known as everywhere, and the
// SDK's own transports read and write.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StandfastError } from '../../../core/base/errors.ts';
import { Caller } from '../../a2a/caller.ts';
import { createCalls } from '../../a2a/calls.ts';
import { type CallBody, cardPath } from '../../a2a/protocol-faults.ts';
import { agentOf } from '../../agents/agent-access.ts';
import type { ApiContext } from '../../api-context.ts';
import { parseJson } from '../../http/json-body.ts';
import type { CallerLease } from '../../http/sse.ts';

const pingMs = 15_000;
/** A reader that takes nothing for so many pings is dropped, and comes back by SubscribeToTask. */
const undrainedPings = 2;

/** Of both versions and bindings: `SubscribeToTask`, `message/stream`, `/tasks/1:subscribe`, … */
function asksForStream({ url, body }: FastifyRequest): boolean {
  const json = (body as CallBody | undefined)?.isBroken === false ? (body as { json: unknown }).json : null;
  const method = typeof json === 'object' && json !== null && 'method' in json ? String(json.method) : '';
  return /stream|subscribe/i.test(method) || /:(stream|subscribe)(\?|$)/i.test(url);
}

function drained(raw: ServerResponse): Promise<void> {
  if (!raw.writableNeedDrain || raw.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const over = (): void => {
      raw.off('drain', over).off('close', over);
      resolve();
    };
    raw.once('drain', over).once('close', over);
  });
}

export function a2aRoutes(app: FastifyInstance, api: ApiContext): void {
  const calls = createCalls(api);
  const open = new Set<AbortController>();
  let isStopping = false;

  /** From here on the SDK writes the answer; ending it early is up to us. */
  function hand(request: FastifyRequest, reply: FastifyReply, agent: string, lease: CallerLease): void {
    const control = new AbortController();
    if (isStopping) control.abort();
    lease.signal.addEventListener('abort', () => control.abort(), { once: true });
    open.add(control);
    const { raw } = reply;
    let unread = 0;
    raw.on('drain', () => (unread = 0));
    const ping = setInterval(() => {
      const isStream = String(raw.getHeader('content-type') ?? '').startsWith('text/event-stream');
      unread = raw.writableNeedDrain ? unread + 1 : 0;
      if (unread > undrainedPings) raw.destroy();
      else if (raw.headersSent && isStream && !raw.writableEnded) raw.write(': ping\n\n');
    }, pingMs);
    raw.once('close', () => {
      clearInterval(ping);
      open.delete(control);
      control.abort();
    });
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    reply.hijack();
    const prefix = `/a2a/${agent}`;
    const path = request.url.slice(prefix.length);
    calls.handle({
      agent,
      path: path.startsWith('/') ? path : `/${path}`,
      body: (request.body as CallBody | undefined) ?? { isBroken: false, json: undefined },
      caller: new Caller(request.principal, control.signal, () => drained(raw)),
      request: request.raw,
      response: raw,
    });
  }

  app.addHook('preClose', async () => {
    isStopping = true;
    for (const control of open) control.abort();
  });
  void app.register(async (scope) => {
    const parse = parseJson(app);
    scope.removeAllContentTypeParsers();
    // What is no JSON is refused in the words of A2A.
    scope.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, text, done) =>
      parse(request, text, (error, json: unknown) => {
        if (error !== null && !(error instanceof StandfastError)) return done(error);
        const body: CallBody = error === null ? { isBroken: false, json } : { isBroken: true, why: error.message };
        return done(null, body);
      }),
    );
    const schema = { hide: true };
    const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const { agent = '' } = request.params as { agent?: string };
      agentOf(api, agent, request.principal);
      const lease = asksForStream(request)
        ? api.streams.count(request, reply, 'a2a')
        : api.streams.watch(request, reply);
      hand(request, reply, agent, lease);
      return reply;
    };
    // Who opens the address itself finds the card there.
    for (const url of [`/a2a/:agent${cardPath}`, '/a2a/:agent', '/a2a/:agent/'])
      scope.get(url, { config: { access: 'optional' }, schema }, answer);
    for (const url of ['/a2a/:agent', '/a2a/:agent/'])
      scope.route({ method: ['POST', 'DELETE'], url, config: { access: 'caller' }, schema, handler: answer });
    const url = '/a2a/:agent/*';
    scope.route({ method: ['GET', 'POST', 'DELETE'], url, config: { access: 'caller' }, schema, handler: answer });
  });
}
