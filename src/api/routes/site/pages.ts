// The pages: static files for everybody, under a policy that lets in nothing but them. What they show is asked for by
// requests that say who asks, the first of them by the server itself (first-answers.ts).
import { fastifyStatic } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plainPages } from '../../../contract/views/page-names.ts';
import type { ApiContext } from '../../api-context.ts';
import type { BuiltPages } from '../../http/built-pages.ts';
import { pageWithAnswers } from './first-answers.ts';

const listing = (publicUrl: string, temporalUiUrl: string | null): string =>
  [
    'Standfast: A2A agents ask, people answer, Temporal waits.',
    '',
    `${publicUrl}/docs            the HTTP interface`,
    `${publicUrl}/agents          the agents`,
    `${publicUrl}/api/holds?status=open   open questions`,
    `${publicUrl}/api/tasks       tasks`,
    `${publicUrl}/readyz          what is up`,
    ...(temporalUiUrl === null ? [] : [`${temporalUiUrl}   Temporal`]),
    '',
  ].join('\n');

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const schema = { hide: true };
const config = { access: 'public' as const };

/** Programs that ask a page's address for data get there; browsers get the page. */
const wantsData = ({ headers }: FastifyRequest): boolean =>
  /\bapplication\/json\b/i.test(headers.accept ?? '') && !/\btext\/html\b/i.test(headers.accept ?? '');

interface WithId {
  Params: { id: string };
}

function redirectToData(kind: 'holds' | 'tasks', request: FastifyRequest<WithId>, reply: FastifyReply): FastifyReply {
  return reply.redirect(`/api/${kind}/${encodeURIComponent(request.params.id)}`, 302);
}

/** Addresses that links in notifications and in Temporal's UI name; without pages they lead to the data. */
function plainRoutes(app: FastifyInstance, api: Pick<ApiContext, 'publicUrl' | 'temporalUiUrl'>): void {
  app.get('/', { config, schema }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(listing(api.publicUrl.replace(/\/+$/, ''), api.temporalUiUrl)),
  );
  for (const kind of ['holds', 'tasks'] as const) {
    app.get<WithId>(`/${kind}/:id`, { config, schema }, async (request, reply) => redirectToData(kind, request, reply));
  }
}

/** As it was built. */
const sendPage = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', pagePolicy)
    .header('cache-control', 'no-cache')
    .header('vary', 'accept, accept-encoding')
    .sendFile('index.html');

type Api = Pick<ApiContext, 'keys' | 'now' | 'publicUrl' | 'temporalUiUrl'>;

/** A browser at an address that is nothing: the page says so, in its own words and with a way on. */
export function sendMissingPage({ method, headers }: FastifyRequest, reply: FastifyReply): FastifyReply | null {
  if (method !== 'GET' || !/\btext\/html\b/i.test(headers.accept ?? '')) return null;
  return sendPage(reply.code(404));
}

/** Addresses of the pages other than those of questions and tasks (web: base/router/routes.ts). */
const pageUrls = ['/', '/chat', '/chat/:agent', ...Object.keys(plainPages), '/login'];

const installed = [
  ['/service-worker.js', 'text/javascript; charset=utf-8'],
  ['/app.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['/icon-192.png', 'image/png'],
  ['/icon-512.png', 'image/png'],
] as const;

function builtRoutes(app: FastifyInstance, api: Api, { dir, html }: BuiltPages): void {
  void app.register(fastifyStatic, { root: dir, serve: false, preCompressed: true, cacheControl: false });
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const page = await pageWithAnswers(app, api, html, request, reply);
    return page === null ? sendPage(reply) : reply.header('content-security-policy', pagePolicy).send(page);
  };
  for (const url of pageUrls) app.get(url, { config, schema }, send);
  for (const kind of ['holds', 'tasks'] as const) {
    app.get<WithId>(`/${kind}/:id`, { config, schema }, async (request, reply) =>
      wantsData(request) ? redirectToData(kind, request, reply) : send(request, reply),
    );
  }
  // By these names: a service worker rules what is below its address, and what is installed asks for them again.
  for (const [url, type] of installed)
    app.get(url, { config, schema }, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(type).sendFile(url.slice(1)),
    );
  app.get<{ Params: { '*': string } }>('/assets/*', { config, schema }, async (request, reply) =>
    reply
      .header('content-security-policy', pagePolicy)
      // Their names carry a hash of what is in them.
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .sendFile(`assets/${request.params['*']}`),
  );
}

export function pageRoutes(app: FastifyInstance, api: Api, pages: BuiltPages | null): void {
  if (pages === null) plainRoutes(app, api);
  else builtRoutes(app, api, pages);
}
