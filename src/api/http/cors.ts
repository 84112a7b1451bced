// Browsers ask before they let a page of another origin call us. Off unless the configuration names such origins.
import { fastifyCors, type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../contract/configuration/config.ts';

/** Pages that may ask for what Temporal keeps encrypted: those named, and Temporal's own. */
export const codecOrigins = ({ codec, server }: Pick<Config, 'codec' | 'server'>): string[] => [
  ...codec.origins,
  ...(server.temporalUiUrl === undefined ? [] : [new URL(server.temporalUiUrl).origin]),
];

/** Registered before whatever refuses callers: a page must be able to read why it was refused, and asks without its key. */
export function allowBrowsers(app: FastifyInstance, config: Config, hasCodec: boolean): void {
  const { cors } = config.server;
  const common = {
    maxAge: 600,
    // What no browser sends is answered all the same: it names no origin, so it is allowed nothing.
    strictPreflight: false,
  };
  const pages: FastifyCorsOptions = {
    ...common,
    // A list, also of one: a single text would be sent to every origin.
    origin: cors === undefined ? false : [...cors.origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: [
      'a2a-extensions',
      'a2a-version',
      'accept',
      'authorization',
      'content-type',
      'idempotency-key',
      'last-event-id',
      // What MCP's clients send with each request; those of 2026-07-28 the last two.
      'mcp-protocol-version',
      'mcp-session-id',
      'mcp-method',
      'mcp-name',
      'traceparent',
      'tracestate',
      'x-request-id',
      // TanStack AI's with each run.
      'x-run-id',
    ],
    exposedHeaders: ['a2a-extensions', 'retry-after', 'x-request-id'],
  };
  const codec: FastifyCorsOptions = {
    ...common,
    origin: codecOrigins(config),
    credentials: true,
    methods: ['POST'],
    allowedHeaders: ['authorization', 'content-type', 'x-namespace'],
  };
  if (!hasCodec) {
    if (cors !== undefined) void app.register(fastifyCors, pages);
    return;
  }
  void app.register(fastifyCors, {
    delegator: (request, decide) => decide(null, request.url.startsWith('/codec/') ? codec : pages),
  });
}
