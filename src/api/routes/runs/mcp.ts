// `POST /mcp`: MCP over streamable HTTP, without sessions; each request is answered alone, in the revision it names.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { route } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { pageUrl } from '../../../core/base/page-url.ts';
import { sendProblem } from '../../http/problems.ts';
import type { CallerLease } from '../../http/sse.ts';
import { createCancelledCalls, sessionHeader } from '../../mcp/cancelled-calls.ts';

const calls = (body: unknown, ...methods: string[]): boolean =>
  [body]
    .flat()
    .some(
      (one) =>
        typeof one === 'object' &&
        one !== null &&
        'method' in one &&
        typeof one.method === 'string' &&
        methods.includes(one.method),
    );

/** As the protocol's SDK takes it; aborted when the caller leaves. */
function webRequestOf(request: FastifyRequest, reply: FastifyReply, url: string, lease: CallerLease): Request {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  // A tool's call learns of the end of its caller's key by its result; of a subscription nothing is left to write.
  const signal = calls(request.body, 'tools/call') ? closed.signal : AbortSignal.any([closed.signal, lease.signal]);
  return new Request(url, { method: 'POST', headers, signal });
}

/** Its head at once: the SDK writes nothing before its first keep-alive, 15 s after the request. */
async function* withHeadFirst(reply: FastifyReply, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  reply.raw.flushHeaders();
  yield* body;
}

const headerOf = ({ headers }: FastifyRequest, name: string): string => [headers[name] ?? ''].flat()[0] ?? '';

export function mcpRoutes(app: FastifyInstance, api: ApiContext): void {
  const cancelled = createCancelledCalls();
  let isStopping = false;
  // Calls whose connections a stopping process closes were not cancelled by their clients.
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.post(
    '/mcp',
    route('caller', 'agents', {
      summary: 'MCP server (streamable HTTP): ask_user, approve_tool_call, permission_prompt',
      description: 'JSON-RPC 2.0 as in the Model Context Protocol; answers are JSON or an event stream.',
    }),
    async (request, reply) => {
      // Few installations ask by MCP, and its SDK is a tenth of the api's code.
      const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('../../mcp/tools.ts'),
      ]);
      // A tool's call waits for people, as long as a stream: any other but a subscription is answered at once.
      const lease = calls(request.body, 'tools/call', 'subscriptions/listen')
        ? api.streams.count(request, reply, 'mcp')
        : api.streams.watch(request, reply);
      const { principal } = request;
      const session = headerOf(request, sessionHeader);
      cancelled.read(principal, session, request.body);
      const caller = { api, principal, lease, session, cancelled, isStopping: () => isStopping };
      const handler = createMcpHandler(() => createMcpServer(caller), {
        onerror: (err) => request.log.debug({ err, requestId: request.id }, 'an MCP request was refused'),
      });
      const asked = webRequestOf(request, reply, pageUrl(api.publicUrl, request.url), lease);
      const answer = await handler.fetch(asked, { parsedBody: request.body ?? null });
      if (session === '' && calls(request.body, 'initialize')) void reply.header(sessionHeader, cancelled.newSession());
      if (answer.body === null || answer.headers.get('content-type') !== 'text/event-stream') return reply.send(answer);
      const body = Readable.from(withHeadFirst(reply, answer.body), { objectMode: false });
      return reply.code(answer.status).headers(Object.fromEntries(answer.headers)).send(body);
    },
  );
  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/mcp',
      config: { access: 'caller' },
      schema: { hide: true },
      // There is no session to listen to or to end; the protocol expects 405.
      handler: async (request, reply) =>
        sendProblem(request, reply.header('allow', 'POST'), {
          code: 'input_invalid',
          detail: 'this MCP server keeps no sessions: use POST',
          status: 405,
        }),
    });
  }
}
