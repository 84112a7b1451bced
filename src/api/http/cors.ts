// Browsers ask before they let a page of another origin call us. Off unless the configuration names such origins.
import { fastifyCors } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../contract/config.ts';

/** Registered before whatever refuses callers: a page must be able to read why it was refused, and asks without its key. */
export function allowBrowsers(app: FastifyInstance, config: Config): void {
  const { cors } = config.server;
  if (cors === undefined) return;
  void app.register(fastifyCors, {
    // A list, also of one: a single text would be sent to every origin.
    origin: [...cors.origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['accept', 'authorization', 'content-type', 'idempotency-key', 'last-event-id', 'x-request-id'],
    exposedHeaders: ['retry-after', 'x-request-id'],
    maxAge: 600,
    // What no browser sends is answered all the same: it names no origin, so it is allowed nothing.
    strictPreflight: false,
  });
}
