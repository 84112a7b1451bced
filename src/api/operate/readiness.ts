// What works now, each part judged by a real operation; the log and the metrics say when a part goes and comes back.
import { outageOf } from '../../host/process/outage.ts';
import { repeating } from '../../host/process/repeating.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { PrometheusMetrics } from '../http/prometheus.ts';
import { heartbeatStaleMs } from '../engine/temporal-failures.ts';

const readinessParts = ['database', 'disk', 'keys', 'temporal', 'workers'] as const;
type ReadinessPart = (typeof readinessParts)[number];

/** `unknown`: it is asked by way of a part that is away. */
type PartState = 'ok' | 'unavailable' | 'unknown';

/** What this process can serve, and the parts that it takes. */
const abilities = {
  reads: ['database', 'keys'],
  writes: ['database', 'keys', 'disk'],
  runs: ['database', 'keys', 'disk', 'temporal', 'workers'],
} as const satisfies Record<string, readonly ReadinessPart[]>;
export type Ability = keyof typeof abilities;

interface Found {
  state: PartState;
  /** For the log: what was seen. */
  why?: unknown;
}
export type Readiness = Record<ReadinessPart, Found>;

const probeMs = 2_000;
/** Anybody may ask; the parts are not probed more often than this. */
const freshMs = 1_000;
const watchMs = 5_000;

const effects: Record<ReadinessPart, string> = {
  database: 'the database cannot be read: nothing can be shown or decided',
  disk: 'the database takes no writes: nothing can be decided, drafted or begun; look at its disk',
  keys: 'STANDFAST_CODEC_KEY or STANDFAST_CODEC_KEY_OLD lacks a key that encrypts the database: what it encrypts cannot be shown',
  temporal: 'Temporal cannot be used: runs and decisions are refused until it is back',
  workers: 'no worker can take work: runs and decisions are refused until one can',
};

export interface ReadinessWatch {
  /** The state of all parts, at most a second old. */
  look(): Promise<Readiness>;
  /** From now on the parts are probed every 5 s. */
  start(): void;
  stop(): Promise<void>;
}

export const isAble = (readiness: Readiness, ability: Ability): boolean =>
  abilities[ability].every((part) => readiness[part].state === 'ok');

/** A part that hangs is a part that is not there. */
async function tried(work: Promise<unknown>): Promise<Found> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Found>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'unavailable', why: `no answer within ${probeMs} ms` }), probeMs);
  });
  const done = work.then(
    (): Found => ({ state: 'ok' }),
    (why: unknown): Found => ({ state: 'unavailable', why }),
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Needed = Pick<ApiDeps, 'store' | 'tasks' | 'codec' | 'log'> & { metrics: Pick<PrometheusMetrics, 'partUp'> };

async function lookAt({ store, tasks, codec }: Needed): Promise<Readiness> {
  // With a deadline of its own, so that its error is seen, too, where it takes all of the time.
  const temporal = tasks.fault(probeMs).then((why): Found => {
    return why === null ? { state: 'ok' } : { state: 'unavailable', why };
  });
  const database = await tried(store.probe('read'));
  let reaching = Number.NaN;
  const ofDatabase = async (work: () => Promise<unknown>): Promise<Found> =>
    database.state === 'ok' ? tried(work()) : { state: 'unknown' };
  const [disk, keys, workers] = await Promise.all([
    ofDatabase(() => store.probe('write')),
    ofDatabase(async () => {
      const missing = (await store.keyIds()).filter((id) => codec?.ids.includes(id) !== true);
      if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
    }),
    ofDatabase(async () => {
      // A text and no error: where it was thrown says nothing of why no worker is there.
      if ((await store.workers.alive(heartbeatStaleMs)) === 0) throw 'none is alive';
      reaching = await store.workers.reachingTemporal(heartbeatStaleMs);
    }),
  ]);
  const found = await temporal;
  // Where no one reaches it, it is Temporal that is away.
  const isCutOff = workers.state === 'ok' && found.state === 'ok' && reaching === 0;
  const cutOff: Found = { state: 'unavailable', why: 'none reaches Temporal, which this api reaches' };
  return { database, disk, keys, temporal: found, workers: isCutOff ? cutOff : workers };
}

export function createReadinessWatch(api: Needed, now = (): number => performance.now()): ReadinessWatch {
  const outages = new Map(
    readinessParts.map((part) => [
      part,
      outageOf(part, { effect: effects[part], log: api.log.child({ readinessPart: part }) }),
    ]),
  );
  const beganAt = now();
  let hasSeenWorker = false;
  let isWaiting = false;
  /** An api is usually started before its workers: none is there yet, and none is lost. */
  const isEarly = (): boolean => !hasSeenWorker && now() - beganAt < heartbeatStaleMs;
  function waitForFirst(): void {
    if (!isWaiting) api.log.info({ readinessPart: 'workers' }, 'no worker is there yet: runs are refused until one is');
    isWaiting = true;
  }
  let looking: Promise<Readiness> | null = null;
  let latest: { atMs: number; readiness: Readiness } | null = null;

  function note(readiness: Readiness): void {
    for (const part of readinessParts) {
      const { state, why } = readiness[part];
      if (state === 'unknown') {
        api.metrics.partUp.remove({ part });
        continue;
      }
      if (part === 'workers' && state === 'ok') hasSeenWorker = true;
      api.metrics.partUp.set({ part }, state === 'ok' ? 1 : 0);
      if (state === 'ok') outages.get(part)?.works();
      else if (part === 'workers' && isEarly()) waitForFirst();
      else outages.get(part)?.fails(() => (part === 'temporal' ? api.tasks.explain(why) : why));
    }
  }

  async function lookNow(): Promise<Readiness> {
    const readiness = await lookAt(api);
    latest = { atMs: performance.now(), readiness };
    note(readiness);
    return readiness;
  }
  const joined = (): Promise<Readiness> => (looking ??= lookNow().finally(() => (looking = null)));
  const watching = repeating(watchMs, joined);

  return {
    look: () =>
      latest !== null && performance.now() - latest.atMs < freshMs ? Promise.resolve(latest.readiness) : joined(),
    start: watching.start,
    stop: () => watching.stop(),
  };
}
