import type { FastifyInstance } from 'fastify';
import type { Room } from '../deps.ts';

const listing = (publicUrl: string, temporalUiUrl: string | null): string =>
  [
    'Holdpoint: A2A agents ask, people answer, Temporal waits.',
    '',
    `${publicUrl}/docs            the HTTP interface`,
    `${publicUrl}/agents          the agents`,
    `${publicUrl}/api/holds?status=open   open questions`,
    `${publicUrl}/api/tasks       tasks`,
    `${publicUrl}/readyz          what is up`,
    ...(temporalUiUrl === null ? [] : [`${temporalUiUrl}   Temporal`]),
    '',
  ].join('\n');

/** Addresses that links in notifications and in Temporal's UI already name; until there are pages they lead to the data. */
export function pageRoutes(app: FastifyInstance, room: Room): void {
  const schema = { hide: true };
  app.get('/', { config: { access: 'public' }, schema }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(listing(room.publicUrl.replace(/\/+$/, ''), room.temporalUiUrl)),
  );
  for (const kind of ['holds', 'tasks']) {
    app.get<{ Params: { id: string } }>(
      `/${kind}/:id`,
      { config: { access: 'public' }, schema },
      async (request, reply) => reply.redirect(`/api/${kind}/${encodeURIComponent(request.params.id)}`, 302),
    );
  }
}
