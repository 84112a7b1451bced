// Requests as spans, where traces are on: of what callers ask for, not of probes, scrapers and files.
import type { FastifyInstance } from 'fastify';
import type { TraceRequest } from '../api-deps.ts';

const untraced = /^\/(healthz|readyz|metrics|docs)(\/|$)|\*$/;

export function traceRequests(app: FastifyInstance, trace: TraceRequest | null): void {
  if (trace === null) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    if (route === undefined || (untraced.test(route) && !route.startsWith('/a2a/'))) {
      done();
      return;
    }
    const span = trace({ method: request.method, route, headers: request.headers });
    // A stream ends with its connection, whoever closes it.
    reply.raw.once('close', () => span.end(reply.raw.statusCode));
    span.run(done);
  });
}
