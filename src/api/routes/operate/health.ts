import { z } from 'zod';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { isWorkerThere } from '../../engine/temporal-failures.ts';

const describeComponent = ['ok', 'unavailable'] as const;
const ReadySchema = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    temporal: z.enum(describeComponent),
    database: z.enum(describeComponent),
    worker: z.enum(describeComponent),
  })
  .meta({ id: 'Readiness' });

const probeMs = 2_000;

/** True when the probe says so in time; a part that hangs is a part that is not there. */
async function holds(probe: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), probeMs)));
  try {
    return await Promise.race([probe.catch(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

const gauged = ['open', 'overdue', 'unclaimed', 'operator'] as const;

/** A database that does not answer leaves a gap: a number of earlier would hide that nobody knows. */
async function countHolds({ metrics, store }: ApiContext): Promise<void> {
  metrics.holds.reset();
  await holds(
    Promise.all(gauged.map((metric) => store.holds.counts({ metric }))).then((counts) => {
      for (const [index, metric] of gauged.entries()) metrics.holds.set({ figure: metric }, counts[index] ?? 0);
      return true;
    }),
  );
}

const describeState = (isThere: boolean): (typeof describeComponent)[number] => (isThere ? 'ok' : 'unavailable');

/** Temporal, the database, a worker. */
const componentStates = (api: ApiContext): Promise<boolean[]> =>
  Promise.all([holds(api.tasks.ping(probeMs)), holds(api.store.ping().then(() => true)), holds(isWorkerThere(api))]);

export function healthRoutes(app: ApiApp, api: ApiContext): void {
  // Anybody may ask: however many do at once, the parts are asked once.
  let looking: Promise<boolean[]> | null = null;
  app.get(
    '/healthz',
    route('public', 'operation', { summary: 'Alive', response: { 200: z.object({ status: z.literal('ok') }) } }),
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    route('public', 'operation', {
      summary: 'Ready: Temporal, the database and a worker are there',
      response: { 200: ReadySchema, 503: ReadySchema },
    }),
    async (_request, reply) => {
      looking ??= componentStates(api).finally(() => (looking = null));
      const [temporal = false, database = false, worker = false] = await looking;
      const isReady = temporal && database && worker;
      if (!isReady) void reply.header('retry-after', '2');
      return reply.code(isReady ? 200 : 503).send({
        status: isReady ? 'ready' : 'not_ready',
        temporal: describeState(temporal),
        database: describeState(database),
        worker: describeState(worker),
      });
    },
  );
  app.get('/metrics', route('operator', 'operation', { summary: 'Prometheus' }), async (_request, reply) => {
    await countHolds(api);
    return reply.type(api.metrics.registry.contentType).send(await api.metrics.registry.metrics());
  });
}
