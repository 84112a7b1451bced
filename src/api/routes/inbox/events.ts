import { z } from 'zod';
import { StandfastError } from '../../../core/base/errors.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { sseFormat } from '../../http/formats.ts';
import { hideFromStranger } from '../../auth/principal.ts';
import { ThreadParamsSchema } from '../../http/query-params.ts';
import { threadStream } from '../../runs/thread-stream.ts';
import { agentOf } from '../../agents/agent-access.ts';
import { threadIdFor, withPublicThread } from '../../runs/thread-space.ts';

/** What readers of our own stream are taken for when they do not say: they are as new as it is. */
const defaultProtocol = '1.0';

const QuerySchema = z.object({
  follow: z
    .enum(['true', 'false'], 'expected true or false')
    .default('true')
    .describe('`false`: ends once all that is there was sent'),
  lastEventId: z.string().max(100).optional().describe('as the header Last-Event-ID, for clients that cannot set it'),
  protocolVersion: z.string().max(20).optional().describe('of AG-UI; empty: a client older than 1.0'),
});

export function eventRoutes(app: ApiApp, api: Pick<ApiContext, 'config' | 'now' | 'store' | 'streams'>): void {
  app.get(
    '/agents/:agent/threads/:threadId/events',
    {
      ...route('caller', 'agents', {
        summary: "A thread's events as SSE, resumable by Last-Event-ID",
        description:
          'Starts with the newest run for a newcomer and goes on with the next ones; `follow=false` ends when caught up.',
        params: ThreadParamsSchema,
        querystring: QuerySchema,
      }),
      // A HEAD would follow the thread without a reader.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { params, query, principal, headers } = request;
      agentOf(api, params.agent, principal);
      const threadId = await threadIdFor(api, params.agent, params.threadId, principal);
      const thread = await api.store.threads.get(params.agent, threadId);
      if (thread === null) throw new StandfastError('not_found', `there is no thread ${params.threadId}`);
      hideFromStranger(principal, thread.owner, `thread ${params.threadId}`);
      const header = headers['last-event-id'];
      const lastEventId = typeof header === 'string' ? header : query.lastEventId;
      const protocol = query.protocolVersion ?? defaultProtocol;
      const reader = {
        ...params,
        threadId,
        principal,
        protocol: protocol === '' ? undefined : protocol,
        lastEventId,
        isFollowing: query.follow === 'true',
      };
      return api.streams.send(request, reply, {
        kind: 'thread',
        format: sseFormat,
        source: (signal) => withPublicThread(threadStream(api, reader, signal)),
        // Nothing needs to be sent: the reader comes back by Last-Event-ID.
        finalEvent: () => null,
      });
    },
  );
}
