import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { inboxFormat } from '../../http/formats.ts';

export function inboxRoutes(app: ApiApp, api: Pick<ApiContext, 'inbox' | 'streams'>): void {
  app.get(
    '/api/inbox/events',
    {
      ...route('caller', 'holds', {
        summary: 'The live inbox as SSE: hello, hold, gone, counts',
        description:
          '`hello {now, build}` comes first, and again when something may have been missed: read list and open hold again. `hold {id, version, row}`: one the caller may see was opened or changed. `gone {id, version}`: they may not see it any more. `counts`: at most once a second. A comment every 15 s.',
      }),
      // A HEAD would follow the inbox without a reader.
      exposeHeadRoute: false,
    },
    async (request, reply) =>
      api.streams.send(request, reply, {
        kind: 'inbox',
        format: inboxFormat,
        source: (signal) => api.inbox.follow(request, signal),
        // The reader reconnects and reads everything again.
        finalEvent: () => null,
      }),
  );
}
