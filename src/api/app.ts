// The http application as a value: it registers and never listens.
import { randomUUID } from 'node:crypto';
import { fastifyHelmet } from '@fastify/helmet';
import { fastifySwagger } from '@fastify/swagger';
import { fastifySwaggerUi } from '@fastify/swagger-ui';
import { fastify, LogController, type FastifyInstance } from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { allowBrowsers } from './cors.ts';
import type { ApiDeps, Room } from './deps.ts';
import { parseJsonOnly } from './json-body.ts';
import { createMetrics } from './metrics.ts';
import { guardRoutes } from './principal.ts';
import { answerFrameworkError, answerProblems } from './problems.ts';
import { limitChanges } from './rate-limit.ts';
import { agentRoutes } from './routes/agents.ts';
import { decisionRoutes } from './routes/decisions.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { holdRoutes } from './routes/holds.ts';
import { pageRoutes } from './routes/pages.ts';
import { runRoutes } from './routes/runs.ts';
import { taskRoutes } from './routes/tasks.ts';
import { createStreams, type StreamLimits } from './sse.ts';

const saneRequestId = /^[\w.:-]{1,100}$/;
/** Path parts are ids of up to 200 bytes, escaped. */
const maxParamLength = 1_500;

const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
    objectSrc: ["'none'"],
    imgSrc: ["'self'", 'data:'],
    // swagger-ui styles its elements inline.
    styleSrc: ["'self'", "'unsafe-inline'"],
  },
};

function watchRequests(app: FastifyInstance, room: Room): void {
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const status = reply.statusCode;
    room.metrics.requests.observe({ method, route, status: String(status) }, reply.elapsedTime / 1000);
    const facts = {
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime),
      by: request.principal?.id,
      requestId: request.id,
    };
    request.log.debug(facts, 'request');
  });
}

/** The zod compilers live in this scope only: plugins with plain JSON Schema routes would not boot under them. */
async function apiScope(app: FastifyInstance, room: Room): Promise<void> {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await limitChanges(app, room.config);
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Holdpoint', version: '0.1.0', description: 'A2A agents ask, people answer, Temporal waits.' },
      servers: [{ url: room.publicUrl }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: room.config.auth.keys.length === 0 ? [] : [{ key: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
    });
    await docs.register(fastifySwaggerUi, { routePrefix: '/docs' });
  });
  runRoutes(app, room);
  eventRoutes(app, room);
  agentRoutes(app, room);
  taskRoutes(app, room);
  holdRoutes(app, room);
  decisionRoutes(app, room);
  healthRoutes(app, room);
}

export function buildApp(deps: ApiDeps, limits?: StreamLimits): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: deps.config.server.bodyLimitBytes,
    forceCloseConnections: true,
    routerOptions: { maxParamLength },
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID();
    },
    frameworkErrors: answerFrameworkError,
  });
  const metrics = createMetrics();
  const room: Room = { ...deps, metrics, streams: createStreams(metrics, limits) };
  answerProblems(app);
  parseJsonOnly(app);
  watchRequests(app, room);
  allowBrowsers(app, deps.config);
  app.after(() => {
    guardRoutes(app, deps.config, deps.publicUrl);
    pageRoutes(app, room);
  });
  void app.register(fastifyHelmet, { contentSecurityPolicy, strictTransportSecurity: false });
  void app.register((scope) => apiScope(scope, room));
  // Readers hear the end of their streams before the sockets go.
  app.addHook('preClose', () => room.streams.closeAll());
  return app;
}
