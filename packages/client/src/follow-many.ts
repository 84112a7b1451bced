// Waits for any number of questions by one connection, which follows all of their ids.
import type { Client } from 'openapi-fetch';
import type { components, paths } from './api-types.ts';
import { StandfastError } from './errors.ts';
import { limitOf, type Outage, outageOf, untilAnswered, type Limit } from './limit.ts';
import { sleep } from './retry.ts';

type AskReply = components['schemas']['AskReply'];
type Unwrap = <T>(result: { data?: T; error?: unknown; response: Response }) => T;

export interface Following {
  limit: Limit;
  /** How long Standfast may not answer before this wait ends. */
  outageMs: number;
  signal?: AbortSignal | undefined;
}

/** The reply once the question is as far as it is followed; null at the end of the limit. */
export type Follow = (id: string, following: Following) => Promise<AskReply | null>;

interface Waiting {
  outageMs: number;
  /** The present outage, as far as this one has waited through it; null: Standfast answers. */
  outage: Outage | null;
  resolve: (reply: AskReply) => void;
  reject: (error: unknown) => void;
}

/** One request waits so long; proxies between often cut longer ones. */
const waitS = 50;
/** Questions that are put one after the other join the connection together: the more it follows, the more join at a time. */
const joinMs = (count: number): number => Math.min(250 + count, 1_000);
/** As many as one request follows; the others come with the next. */
const most = 2_000;

export function followMany(api: Client<paths>, unwrap: Unwrap, until: 'opened' | 'ended'): Follow {
  const waiting = new Map<string, Set<Waiting>>();
  let joined = new AbortController();
  let isFollowing = false;

  const everyOne = (): Waiting[] => [...waiting.values()].flatMap((those) => [...those]);

  /** Each ends by a time of its own; the connection is tried again as long as one still waits. */
  const outageOfAll: Outage = {
    leftMs(failure) {
      let leastMs = Infinity;
      for (const one of everyOne()) {
        one.outage ??= outageOf(one.outageMs);
        const leftMs = one.outage.leftMs(failure);
        if (leftMs <= 0) one.reject(failure);
        else leastMs = Math.min(leastMs, leftMs);
      }
      return leastMs;
    },
  };

  async function follow(): Promise<void> {
    isFollowing = true;
    while (waiting.size > 0) {
      joined = new AbortController();
      const { signal } = joined;
      const ids = [...waiting.keys()].slice(0, most);
      try {
        const body = { ids, until, wait: waiting.size > most ? 1 : waitS };
        const send = async (inTime: AbortSignal): Promise<{ items: AskReply[]; unknown: string[] }> =>
          unwrap(await api.POST('/api/ask/replies', { body, signal: inTime }));
        const found = await untilAnswered(send, { limit: limitOf(), outage: outageOfAll, waitS, signal });
        for (const one of everyOne()) one.outage = null;
        for (const reply of found.items) settle(reply.id, ({ resolve }) => resolve(reply));
        for (const id of found.unknown) settle(id, ({ reject }) => reject(neverAsked(id)));
        // Those that were not followed come first now.
        if (waiting.size > most) for (const id of ids) moveToEnd(id);
      } catch (error) {
        if (!signal.aborted) for (const id of ids) settle(id, ({ reject }) => reject(error));
      }
    }
    isFollowing = false;
  }

  function settle(id: string, end: (one: Waiting) => void): void {
    const those = waiting.get(id);
    waiting.delete(id);
    for (const one of those ?? []) end(one);
  }

  function moveToEnd(id: string): void {
    const those = waiting.get(id);
    if (those === undefined) return;
    waiting.delete(id);
    waiting.set(id, those);
  }

  return async (id, { limit, outageMs, signal }) => {
    let one: Waiting | undefined;
    const answered = new Promise<AskReply>((resolve, reject) => (one = { outageMs, outage: null, resolve, reject }));
    const left = new AbortController();
    if (one !== undefined) waiting.set(id, (waiting.get(id) ?? new Set()).add(one));
    if (!isFollowing) void follow();
    else {
      const { signal: over } = joined;
      const current = joined;
      void sleep(joinMs(waiting.size), over).then(
        () => current.abort(),
        () => undefined,
      );
    }
    try {
      const end = AbortSignal.any([left.signal, ...(signal === undefined ? [] : [signal])]);
      const never = sleep(Math.min(limit.leftMs(), 2 ** 31 - 1), end).then(() => null);
      return await Promise.race([answered, never]);
    } finally {
      left.abort();
      const those = waiting.get(id);
      if (one !== undefined) those?.delete(one);
      if (those?.size === 0) waiting.delete(id);
      if (waiting.size === 0) joined.abort();
      // No one reads it any longer.
      answered.catch(() => undefined);
    }
  };
}

const neverAsked = (id: string): StandfastError =>
  new StandfastError(404, {
    code: 'not_found',
    detail: `nothing was asked under the id ${id}; ask with the whole question`,
  });
