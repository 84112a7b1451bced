import { afterEach, describe, expect, test } from '@jest/globals';
import { createCardKeeper, type CardKeeper } from '../../../src/cli/run/agent-cards.ts';
import type { A2aTransport } from '../../../src/activities/a2a/a2a-transport.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { waitFor } from '../../rigs/wait-for.ts';

let keeper: CardKeeper | undefined;
afterEach(() => keeper?.stop());

/** A transport that can do nothing but give its card. */
const giving = (card: () => Promise<object>): A2aTransport => ({ card }) as unknown as A2aTransport;

interface Kept {
  cards: Map<string, JsonObject>;
  logged: string[];
}

function begin(agents: Record<string, () => Promise<object>>, again: { everyMs: number; againMs: number }): Kept {
  const kept: Kept = { cards: new Map(), logged: [] };
  const say =
    (level: string) =>
    (facts: object, message: string): void =>
      void kept.logged.push(`${level} ${JSON.stringify(facts)} ${message}`);
  const transports = new Map<unknown, A2aTransport>();
  keeper = createCardKeeper({
    agents: () => Object.keys(agents),
    transportOf: (agent) => {
      const card = agents[agent] ?? (() => Promise.reject(new Error('not configured')));
      const transport = transports.get(card) ?? giving(card);
      transports.set(card, transport);
      return transport;
    },
    save: async (agent, card) => void kept.cards.set(agent, card),
    log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
    ...again,
  });
  return kept;
}

const never = { everyMs: 600_000, againMs: 600_000 };

describe('a worker', () => {
  test('a worker keeps the card of every agent when it starts, and no more of it than is needed', async () => {
    const kept = begin(
      {
        a: async () => ({ name: 'A', secret: 'x', capabilities: { streaming: true } }),
        b: async () => ({ name: 'B' }),
      },
      never,
    );
    keeper?.start();
    await waitFor(() => kept.cards.size === 2, 10_000, 'the cards are kept');
    expect(kept.cards.get('a')).toMatchObject({ name: 'A', capabilities: { streaming: true } });
    expect(kept.cards.get('a')).not.toHaveProperty('secret');
  });

  test('a worker tries again what it cannot read, says so once, and keeps the others', async () => {
    let tries = 0;
    const kept = begin(
      {
        away: async () => {
          tries += 1;
          if (tries < 4) throw new Error('no agent there');
          return { name: 'Back' };
        },
        there: async () => ({ name: 'There' }),
      },
      { everyMs: 600_000, againMs: 10 },
    );
    keeper?.start();
    await waitFor(() => kept.cards.size === 2, 10_000, 'the cards are kept');
    expect(kept.logged.filter((line) => line.startsWith('warn'))).toHaveLength(1);
    expect(kept.logged.some((line) => line.startsWith('info') && line.includes('can be read again'))).toBe(true);
  });

  test('a worker reads cards again from time to time', async () => {
    let version = 0;
    const kept = begin({ a: async () => ({ version: String((version += 1)) }) }, { everyMs: 10, againMs: 10 });
    keeper?.start();
    await waitFor(() => Number(kept.cards.get('a')?.['version'] ?? 0) >= 3, 10_000, 'the cards are kept');
  });

  test('a worker keeps a card that a turn reads, and hands it on as it came', async () => {
    const card = { name: 'A', extra: 1 };
    const kept = begin({ a: async () => card }, never);
    const read = await keeper?.transportOf('a').card({ signal: new AbortController().signal });
    expect(read).toBe(card);
    await waitFor(() => kept.cards.has('a'), 10_000, 'the cards are kept');
    expect(keeper?.transportOf('a')).toBe(keeper?.transportOf('a'));
  });

  test('a worker reads the card of an agent that a reload brought or gave another address, soon after', async () => {
    const agents: Record<string, () => Promise<object>> = { a: async () => ({ name: 'A' }) };
    const kept = begin(agents, never);
    keeper?.start();
    await waitFor(() => kept.cards.has('a'), 10_000, 'the first card is kept');
    const before = keeper?.transportOf('a');
    agents['a'] = async () => ({ name: 'A elsewhere' });
    agents['b'] = async () => ({ name: 'B' });
    await waitFor(() => kept.cards.has('b'), 10_000, 'the new agent’s card is kept');
    await waitFor(() => kept.cards.get('a')?.['name'] === 'A elsewhere', 10_000, 'the changed agent’s card is kept');
    expect(keeper?.transportOf('a')).not.toBe(before);
  });

  test('a worker stops while an agent does not answer', async () => {
    const aborted: unknown[] = [];
    begin({ a: () => new Promise(() => undefined) }, never);
    keeper = createCardKeeper({
      agents: () => ['a'],
      transportOf: () =>
        ({
          card: ({ signal }: { signal: AbortSignal }) =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => {
                aborted.push(signal.reason);
                reject(signal.reason);
              });
            }),
        }) as unknown as A2aTransport,
      save: fail,
      log: { debug: fail, info: fail, warn: fail, error: fail },
      ...never,
    });
    keeper.start();
    await keeper.stop();
    expect(aborted).toHaveLength(1);
  });
});

function fail(): never {
  throw new Error('nothing was to be said');
}
