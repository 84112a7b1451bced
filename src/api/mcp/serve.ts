// Answers one request of MCP by a server that is made for it, in the revision that the request names.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { McpServer, Server } from '@modelcontextprotocol/server';
import { pageUrl } from '../../core/base/page-url.ts';
import type { ApiContext } from '../api-context.ts';
import type { CallerLease } from '../http/sse.ts';

export const calls = (body: unknown, ...methods: string[]): boolean =>
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

/** Sends the body of an event stream on as it comes. */
export const sendStream = (reply: FastifyReply, answer: { body: AsyncIterable<Uint8Array> }): FastifyReply =>
  reply.send(Readable.from(withHeadFirst(reply, answer.body), { objectMode: false }));

export async function serveMcp(
  { publicUrl }: Pick<ApiContext, 'publicUrl'>,
  { request, reply, lease }: { request: FastifyRequest; reply: FastifyReply; lease: CallerLease },
  create: () => McpServer | Server,
): Promise<FastifyReply> {
  // Few installations ask by MCP, and its SDK is a tenth of the api's code.
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const handler = createMcpHandler(create, {
    onerror: (err) => request.log.debug({ err, requestId: request.id }, 'an MCP request was refused'),
  });
  const asked = webRequestOf(request, reply, pageUrl(publicUrl, request.url), lease);
  const answer = await handler.fetch(asked, { parsedBody: request.body ?? null });
  const { body } = answer;
  if (body === null || answer.headers.get('content-type') !== 'text/event-stream') return reply.send(answer);
  return sendStream(reply.code(answer.status).headers(Object.fromEntries(answer.headers)), { body });
}
