// Requests as spans, where traces are on: of what callers ask for, not of probes, scrapers and files.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TraceRequest } from '../api-deps.ts';

const untraced = /^\/(healthz|readyz|metrics|docs)(\/|$)|\*$/;
const mcpRoute = '/mcp';
const w3cParent = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

interface McpMessage {
  params?: { _meta?: { traceparent?: unknown; tracestate?: unknown } | null } | null;
}

/**
 * The context in the first MCP message that has one, as headers. It is closer to who asks than the header of the
 * request, which is that of a connection: clients and gateways between share one for many calls.
 */
function contextOfMessages(body: unknown): Record<string, string | undefined> {
  for (const message of [body].flat() as (McpMessage | null | undefined)[]) {
    const { traceparent, tracestate } = message?.params?._meta ?? {};
    if (typeof traceparent !== 'string' || !w3cParent.test(traceparent)) continue;
    return { traceparent, tracestate: typeof tracestate === 'string' ? tracestate : undefined };
  }
  return {};
}

export function traceRequests(app: FastifyInstance, trace: TraceRequest | null): void {
  if (trace === null) return;
  const begun = new WeakSet<FastifyRequest>();
  const begin = (request: FastifyRequest, reply: FastifyReply, route: string, done: () => void): void => {
    begun.add(request);
    const headers = { ...request.headers, ...(route === mcpRoute ? contextOfMessages(request.body) : {}) };
    const span = trace({ method: request.method, route, headers });
    // A stream ends with its connection, closed by either side.
    if (reply.raw.closed) span.end(reply.raw.statusCode);
    else reply.raw.once('close', () => span.end(reply.raw.statusCode));
    span.run(done);
  };
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const isTraced = route !== undefined && (!untraced.test(route) || route.startsWith('/a2a/'));
    if (!isTraced || route === mcpRoute) done();
    else begin(request, reply, route, done);
  });
  // Its context may be in the body.
  app.addHook('preValidation', (request, reply, done) => {
    if (request.routeOptions.url === mcpRoute) begin(request, reply, mcpRoute, done);
    else done();
  });
  // Refused before its body was read.
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.url === mcpRoute && !begun.has(request)) begin(request, reply, mcpRoute, done);
    else done();
  });
}
