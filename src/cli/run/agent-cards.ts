// Workers read the Agent Cards; the API, which never calls agents, serves the stored copies.
import type { A2aTransport } from '../../activities/a2a/a2a-transport.ts';
import type { Log } from '../../activities/deps.ts';
import { KeptCardSchema } from '../../contract/tasks/agent-card.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { inParallel, repeating } from '../../host/process/repeating.ts';
import { within } from '../../host/process/time-limit.ts';

export interface CardKeeper {
  /** The agent's transport; every Agent Card that it reads is stored. */
  transportOf: (agent: string) => A2aTransport;
  /** Reads all cards now and periodically from then on. */
  start: () => void;
  stop: () => Promise<void>;
}

interface CardKeeperDeps {
  /** Names of the agents of the running configuration. */
  agents: () => string[];
  transportOf: (agent: string) => A2aTransport;
  save: (agent: string, card: JsonObject) => Promise<void>;
  log: Log;
  /** Read interval, and retry interval after a failure, in milliseconds. */
  everyMs?: number;
  againMs?: number;
}

const readMs = 15_000;
/** How soon an agent that a reload brought is noticed. */
const lookMs = 1_000;
const atOnce = 4;

export function createCardKeeper(deps: CardKeeperDeps): CardKeeper {
  const { everyMs = 300_000, againMs = 30_000, log } = deps;
  // By transport: an agent that a reload gave other settings has a new one, whose card is read at once.
  const dueAtMs = new WeakMap<A2aTransport, number>();
  const known = new Map<string, { plain: A2aTransport; keeping: A2aTransport }>();
  const troubled = new Set<string>();

  async function keep(agent: string, plain: A2aTransport, card: object): Promise<void> {
    dueAtMs.set(plain, performance.now() + everyMs);
    // Safe: the schema only produces strings, booleans and arrays.
    await deps.save(agent, KeptCardSchema.parse(card));
    if (troubled.delete(agent)) log.info({ agent }, 'the agent’s card can be read again');
  }

  function transportOf(agent: string): A2aTransport {
    const plain = deps.transportOf(agent);
    const there = known.get(agent);
    if (there?.plain === plain) return there.keeping;
    const keeping: A2aTransport = {
      ...plain,
      card: async (call) => {
        const card = await plain.card(call);
        // Readers of a card neither wait for its storage nor fail with it.
        keep(agent, plain, card).catch((error: unknown) =>
          log.warn({ agent, err: error }, 'the agent’s card was not kept'),
        );
        return card;
      },
    };
    known.set(agent, { plain, keeping });
    return keeping;
  }

  async function read(agent: string, stopping: AbortSignal): Promise<void> {
    const plain = deps.transportOf(agent);
    dueAtMs.set(plain, performance.now() + againMs);
    try {
      const signal = within(stopping, readMs).signal;
      await keep(agent, plain, await plain.card({ signal }));
    } catch (error) {
      if (stopping.aborted) return;
      // Warns once per outage, which would otherwise fill the log.
      log[troubled.has(agent) ? 'debug' : 'warn']({ agent, err: error }, 'the agent’s card cannot be read; trying on');
      troubled.add(agent);
    }
  }

  const reads = repeating(Math.min(everyMs, againMs, lookMs), async (stopping) => {
    const due = deps.agents().filter((agent) => (dueAtMs.get(deps.transportOf(agent)) ?? 0) <= performance.now());
    await inParallel(due, atOnce, (agent) => read(agent, stopping));
  });

  return {
    transportOf,
    start() {
      void reads.now().then(reads.start);
    },
    stop: reads.stop,
  };
}
