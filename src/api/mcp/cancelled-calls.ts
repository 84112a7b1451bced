// Calls that wait in this process, by what their clients name when they cancel one. Up to 2025-11-25 a client cancels by a
// notification, and a connection that breaks cancels nothing; since 2026-07-28 it closes the stream of the call.
import { randomUUID } from 'node:crypto';
import type { Principal } from '../../contract/base/principal.ts';

/** Keeps the clients of one key apart, whose requests have the same ids; no state is kept under it. */
export const sessionHeader = 'mcp-session-id';

type Named = Pick<Principal, 'id'>;

export interface CancelledCalls {
  newSession(): string;
  /** Aborts when the client cancels this call; `over` forgets it. */
  wait(caller: Named, session: string, requestId: string | number): { signal: AbortSignal; over(): void };
  /** Cancels the calls that these JSON-RPC messages of a session name. */
  read(caller: Named, session: string, body: unknown): void;
}

const keyOf = ({ id }: Named, session: string, requestId: unknown): string => JSON.stringify([id, session, requestId]);

function cancelledIn(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return undefined;
  const { method, params } = message as { method?: unknown; params?: unknown };
  if (method !== 'notifications/cancelled' || typeof params !== 'object' || params === null) return undefined;
  return (params as { requestId?: unknown }).requestId;
}

export function createCancelledCalls(): CancelledCalls {
  const waiting = new Map<string, AbortController>();
  return {
    newSession: randomUUID,
    wait(caller, session, requestId) {
      const control = new AbortController();
      // Clients without a session cannot be kept apart.
      if (session === '') return { signal: control.signal, over: () => undefined };
      const key = keyOf(caller, session, requestId);
      waiting.set(key, control);
      return {
        signal: control.signal,
        over: () => {
          if (waiting.get(key) === control) waiting.delete(key);
        },
      };
    },
    read(caller, session, body) {
      if (session === '') return;
      for (const message of [body].flat()) {
        const requestId = cancelledIn(message);
        if (requestId !== undefined) waiting.get(keyOf(caller, session, requestId))?.abort();
      }
    },
  };
}
