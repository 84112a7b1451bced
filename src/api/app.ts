// The http application as a value: it registers and never listens.
import { randomUUID } from 'node:crypto';
import { fastifyCookie } from '@fastify/cookie';
import { fastifyHelmet } from '@fastify/helmet';
import { fastifySwagger } from '@fastify/swagger';
import { fastifySwaggerUi } from '@fastify/swagger-ui';
import { fastify, LogController, type FastifyInstance } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { version } from '../host/process/version.ts';
import { createAgentHistory } from './tasks/agent-history.ts';
import { compressJson } from './http/compress.ts';
import { allowBrowsers } from './http/cors.ts';
import type { ApiDeps } from './api-deps.ts';
import type { ApiContext } from './api-context.ts';
import { createInboxFeed } from './inbox/inbox-feed.ts';
import { parseJsonOnly } from './http/json-body.ts';
import { createKeyRing } from './auth/keys.ts';
import { createFailedKeys } from './auth/login-limit.ts';
import { createOidcSignIn } from './auth/oidc.ts';
import { publishedDocument } from './http/openapi.ts';
import { createPrometheusMetrics } from './http/prometheus.ts';
import { guardRoutes } from './auth/principal.ts';
import { answerFrameworkError, answerProblems } from './http/problems.ts';
import { limitChanges } from './http/rate-limit.ts';
import { a2aRoutes } from './routes/runs/a2a.ts';
import { agentRoutes } from './routes/runs/agents.ts';
import { artifactRoutes } from './routes/runs/artifacts.ts';
import { askRoutes } from './routes/runs/ask.ts';
import { actRoutes } from './routes/holds/acts.ts';
import { bulkRoutes, decisionRoutes } from './routes/holds/decisions.ts';
import { chatRoutes, taskRoutes } from './routes/runs/tasks.ts';
import { grantRoutes } from './routes/holds/grants.ts';
import { precedentRoutes } from './routes/holds/precedents.ts';
import { codecRoutes } from './routes/operate/codec.ts';
import { draftRoutes } from './routes/holds/drafts.ts';
import { eventRoutes } from './routes/inbox/events.ts';
import { inboxRoutes } from './routes/inbox/inbox.ts';
import { createGateTools } from './gates/gate-tools.ts';
import { gateOperationRoutes } from './routes/operate/gates.ts';
import { gateRoutes } from './routes/runs/gates.ts';
import { healthRoutes } from './routes/operate/health.ts';
import { jwksRoutes } from './routes/site/jwks.ts';
import { holdCsvRoutes } from './routes/holds/holds-csv.ts';
import { endedDaysRoutes } from './routes/holds/ended-days.ts';
import { holdRoutes } from './routes/holds/holds.ts';
import { linkRevocationRoutes, linkRoutes } from './routes/holds/links.ts';
import { mcpRoutes } from './routes/runs/mcp.ts';
import { operateRoutes } from './routes/operate/operate.ts';
import { readPages } from './http/built-pages.ts';
import { registerInstallationGauges } from './operate/installation-gauges.ts';
import { createReadinessWatch } from './operate/readiness.ts';
import { pageRoutes, sendMissingPage } from './routes/site/pages.ts';
import { oidcRoutes } from './routes/site/oidc.ts';
import { pushRoutes } from './routes/runs/push.ts';
import { runRoutes } from './routes/runs/runs.ts';
import { slackRoutes } from './routes/site/slack.ts';
import { teamsRoutes } from './routes/site/teams.ts';
import { sessionRoutes } from './routes/site/session.ts';
import { preferenceRoutes } from './routes/site/preferences.ts';
import { passkeyRoutes } from './routes/site/passkeys.ts';
import { signingRoutes } from './routes/holds/signing.ts';
import { webPushRoutes } from './routes/site/web-push.ts';
import { createSessions } from './auth/sessions.ts';
import { createStreamCallers } from './auth/stream-callers.ts';
import { createRunReaders } from './tasks/run-readers.ts';
import { createStartGate } from './runs/start-gate.ts';
import { createStreams, type StreamLimits } from './http/sse.ts';
import { countInFlight } from './http/in-flight.ts';
import { traceRequests } from './http/trace-requests.ts';

const requestIdOf = /^[\w.:-]{1,100}$/;
/** Path parts are ids of up to 200 bytes, escaped. */
const maxParamLength = 1_500;
/** Time limit for receiving a request: a body that is sent drop by drop would hold a socket. */
const arrivesWithinMs = 120_000;
/** How long a stopping process still answers earlier requests; a decision usually takes milliseconds. */
const lastAnswersMs = 3_000;

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

function watchRequests(app: FastifyInstance, api: Pick<ApiContext, 'metrics'>): void {
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const status = reply.statusCode;
    api.metrics.requests.observe({ method, route, status: String(status) }, reply.elapsedTime / 1000);
    const details = {
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime),
      by: request.principal?.id,
      requestId: request.id,
    };
    request.log.debug(details, 'request');
  });
}

/** The zod compilers live in this scope only: plugins with plain JSON Schema routes would not boot under them. */
async function apiScope(scope: FastifyInstance, api: ApiContext): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  compressJson(app);
  await limitChanges(app, api.config);
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Standfast', version, description: 'A2A agents ask, people answer, Temporal waits.' },
      servers: [{ url: api.publicUrl }],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: api.sessions.cookieName },
        },
      },
      security: api.keys.isEmpty ? [] : [{ key: [] }, { session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: publishedDocument,
  });
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
    });
    await docs.register(fastifySwaggerUi, { routePrefix: '/docs' });
  });
  const gateTools = createGateTools(api);
  runRoutes(app, api);
  eventRoutes(app, api);
  a2aRoutes(app, api);
  agentRoutes(app, api);
  pushRoutes(app, api);
  sessionRoutes(app, api);
  webPushRoutes(app, api);
  preferenceRoutes(app, api);
  passkeyRoutes(app, api);
  oidcRoutes(app, api);
  taskRoutes(app, api);
  chatRoutes(app, api);
  askRoutes(app, api);
  artifactRoutes(app, api);
  holdRoutes(app, api);
  endedDaysRoutes(app, api);
  holdCsvRoutes(app, api);
  actRoutes(app, api);
  precedentRoutes(app, api);
  grantRoutes(app, api);
  draftRoutes(app, api);
  linkRevocationRoutes(app, api);
  decisionRoutes(app, api);
  bulkRoutes(app, api);
  signingRoutes(app, api);
  inboxRoutes(app, api);
  operateRoutes(app, api);
  healthRoutes(app, api);
  jwksRoutes(app, api);
  mcpRoutes(app, api);
  gateRoutes(app, api, gateTools);
  gateOperationRoutes(app, api, gateTools);
  codecRoutes(app, api);
}

export function buildApp(deps: ApiDeps, limits?: StreamLimits): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: deps.config.server.bodyLimitBytes,
    forceCloseConnections: true,
    requestTimeout: arrivesWithinMs,
    routerOptions: { maxParamLength },
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && requestIdOf.test(given) ? given : randomUUID();
    },
    frameworkErrors: answerFrameworkError,
  });
  const metrics = createPrometheusMetrics(deps.registry);
  registerInstallationGauges(deps.registry, deps.store);
  const keys = createKeyRing(deps.config, deps.now);
  const failedKeys = createFailedKeys(deps.now, metrics);
  const provider = deps.config.auth.oidc;
  const oidc = provider === undefined ? null : createOidcSignIn({ ...deps, oidc: provider });
  const sessions = createSessions({ ...deps, keys });
  const pages = readPages(deps.webDir);
  const build = pages?.build ?? '';
  const inbox = createInboxFeed({ ...deps, build });
  const history = createAgentHistory(deps);
  const callers = createStreamCallers({ ...deps, sessions, keys });
  const maxPerCaller = keys.isEmpty ? 0 : deps.config.server.maxStreams;
  const streams = createStreams({ metrics, limits, maxPerCaller, leaseOf: callers.watch });
  const starts = createStartGate(deps.config.server.maxWaitingStarts, metrics);
  const api: ApiContext = {
    ...deps,
    metrics,
    keys,
    failedKeys,
    oidc,
    sessions,
    inbox,
    history,
    build,
    streams,
    starts,
    callers,
    readiness: createReadinessWatch({ ...deps, metrics }),
    runReaders: createRunReaders(),
  };
  traceRequests(app, deps.traceRequest ?? null);
  const underWay = countInFlight(app);
  answerProblems(app, pages === null ? undefined : sendMissingPage);
  parseJsonOnly(app);
  watchRequests(app, api);
  allowBrowsers(app, deps.config, deps.codec != null);
  void app.register(fastifyCookie);
  app.after(() => {
    guardRoutes(app, api);
    pageRoutes(app, api, pages);
    linkRoutes(app, api);
    slackRoutes(app, api);
    teamsRoutes(app, api);
  });
  void app.register(fastifyHelmet, { contentSecurityPolicy, strictTransportSecurity: false });
  void app.register((scope) => apiScope(scope, api));
  app.addHook('onListen', async () => api.readiness.start());
  app.addHook('onClose', async () => api.readiness.stop());
  // Streams get their last event, and pending requests their answers, before the sockets close.
  app.addHook('preClose', async () => {
    // New requests go to another process or are retried: an answer from here could be cut off.
    app.server.close();
    inbox.close();
    callers.close();
    await Promise.all([api.streams.closeAll(), underWay.over(lastAnswersMs)]);
  });
  return app;
}
