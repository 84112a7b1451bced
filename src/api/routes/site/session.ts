import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MeSchema, type Me } from '../../../contract/views/inbox.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { isOperator } from '../../../core/policy/audience.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { mayUse } from '../../agents/agent-access.ts';
import { refuseCrossOrigin } from '../../auth/same-origin.ts';
import { localPrincipal } from '../../auth/principal.ts';
import type { TemporalLinks } from '../../api-parts.ts';
import { ownEntry } from '../../../core/base/own-entry.ts';

/** Read for strangers, too. */
const maxLoginBytes = 16 * 1024;

const LoginBodySchema = z.object({ key: z.string().min(1).max(1000) }).meta({ id: 'LoginBody' });

const workflowsUrl = ({ temporalUiUrl, tasks }: TemporalLinks): string | null =>
  temporalUiUrl === null
    ? null
    : `${temporalUiUrl.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(tasks.namespace)}/workflows`;

function describeCaller(
  api: Pick<ApiContext, 'config' | 'tasks' | 'temporalUiUrl'>,
  principal: Principal,
  via: Me['via'],
  sessionEndsAt: string | null,
): Me {
  const { users, agents, policies } = api.config;
  const name = ownEntry(users, principal.id)?.name ?? principal.name;
  return {
    id: principal.id,
    name: name ?? principal.id,
    roles: principal.roles,
    isOperator: isOperator(principal),
    names: Object.fromEntries(
      Object.entries(users).flatMap(([id, user]) => (user.name === undefined ? [] : [[id, user.name]])),
    ),
    agents: Object.entries(agents)
      .filter(([, agent]) => mayUse(agent, principal))
      .map(([id, { title }]) => ({ name: id, title: title ?? id })),
    policies: Object.keys(policies).toSorted(),
    via,
    temporalUrl: workflowsUrl(api),
    sessionEndsAt,
  };
}

const describeRequester = (
  api: Pick<ApiContext, 'config' | 'tasks' | 'temporalUiUrl'>,
  { principal, via, session }: FastifyRequest,
): Me => describeCaller(api, principal, via, session?.endsAt ?? null);

export function sessionRoutes(app: ApiApp, api: ApiContext): void {
  app.get(
    '/api/me',
    route('caller', 'session', { summary: 'Who is calling', response: { 200: MeSchema } }),
    async (request) => describeRequester(api, request),
  );

  app.post(
    '/api/login',
    {
      config: { access: 'public', isUncounted: true },
      bodyLimit: maxLoginBytes,
      schema: {
        tags: ['session'],
        summary: 'Open a session for the pages by an API key; the cookie is HttpOnly',
        body: LoginBodySchema,
        response: { 200: MeSchema },
      },
    },
    async (request, reply) => {
      if (api.keys.isEmpty) return describeCaller(api, localPrincipal, 'none', null);
      // A page of others must not sign its visitor in as a user of its choice.
      refuseCrossOrigin(request, api.publicUrl, []);
      const key = api.keys.byKey(request.body.key);
      // A key that is right is taken at any time: behind a proxy all have one address, and one of them could keep out the others.
      if (key?.principal.kind === 'metrics')
        throw new StandfastError('forbidden', 'a key of kind metrics reads /metrics alone');
      if (key === null) return api.failedKeys.refuse(request, reply, 'login');
      const { endsAt } = await api.sessions.open(reply, key);
      request.log.info({ by: key.principal.id, credential: key.principal.credential ?? null }, 'signed in by a key');
      return describeCaller(api, key.principal, 'session', endsAt);
    },
  );

  app.post(
    '/api/logout',
    {
      config: { access: 'public', isUncounted: true },
      schema: { tags: ['session'], summary: 'End the session of the cookie', response: { 204: z.null() } },
    },
    async (request, reply) => {
      if (!api.keys.isEmpty) {
        refuseCrossOrigin(request, api.publicUrl, []);
        const ended = await api.sessions.close(reply, request.cookies);
        if (ended !== null) api.callers.endSession(ended);
      }
      return reply.code(204).send(null);
    },
  );
}
