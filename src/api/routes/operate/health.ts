import { z } from 'zod';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { isAble, type Ability, type Readiness } from '../../operate/readiness.ts';

const state = z.enum(['ok', 'unavailable', 'unknown']);
const ReadySchema = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    reads: z.boolean(),
    writes: z.boolean(),
    runs: z.boolean(),
    parts: z.object({ database: state, disk: state, keys: state, temporal: state, workers: state }),
  })
  .meta({ id: 'Readiness' });

/** Each address answers 200 while this process can do it; `/readyz` is about everything. */
const probes: { url: string; ability: Ability; summary: string }[] = [
  { url: '/readyz', ability: 'runs', summary: 'Ready: questions can be read, drafted, asked and decided' },
  { url: '/readyz/reads', ability: 'reads', summary: 'Ready to show lists, questions and logs' },
  { url: '/readyz/writes', ability: 'writes', summary: 'Ready to keep what people write, decisions excepted' },
  { url: '/readyz/runs', ability: 'runs', summary: 'Ready for runs and decisions: Temporal and a worker are there' },
];

function view(readiness: Readiness, ability: Ability): z.infer<typeof ReadySchema> {
  const { database, disk, keys, temporal, workers } = readiness;
  return {
    status: isAble(readiness, ability) ? 'ready' : 'not_ready',
    reads: isAble(readiness, 'reads'),
    writes: isAble(readiness, 'writes'),
    runs: isAble(readiness, 'runs'),
    parts: {
      database: database.state,
      disk: disk.state,
      keys: keys.state,
      temporal: temporal.state,
      workers: workers.state,
    },
  };
}

export function healthRoutes(app: ApiApp, api: Pick<ApiContext, 'metrics' | 'readiness'>): void {
  app.get(
    '/healthz',
    route('public', 'operation', { summary: 'Alive', response: { 200: z.object({ status: z.literal('ok') }) } }),
    async () => ({ status: 'ok' as const }),
  );
  for (const { url, ability, summary } of probes) {
    app.get(
      url,
      route('public', 'operation', { summary, response: { 200: ReadySchema, 503: ReadySchema } }),
      async (_request, reply) => {
        const readiness = await api.readiness.look();
        const isReady = isAble(readiness, ability);
        if (!isReady) void reply.header('retry-after', '2');
        return reply.code(isReady ? 200 : 503).send(view(readiness, ability));
      },
    );
  }
  app.get('/metrics', route('metrics', 'operation', { summary: 'Prometheus' }), async (_request, reply) =>
    reply.type(api.metrics.registry.contentType).send(await api.metrics.registry.metrics()),
  );
}
