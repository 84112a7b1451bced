// Parts of the page that are loaded when they are first shown, or a little before.
import type { ComponentType } from 'react';
import { publishOutdated } from './event-stream.ts';
import { latePart, type LatePart } from './late-part.ts';

const retriesMs = [500, 2_000, 5_000];

/** A part that does not come is asked for again: a restart of the server must not lose it for the life of the page. */
async function retry<T>(load: () => Promise<T>): Promise<T> {
  for (const waitMs of retriesMs) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  try {
    return await load();
  } catch (error) {
    // Most often another build is served by now, and this part has another name there.
    publishOutdated();
    throw error;
  }
}

/** A component that is loaded at its first use, or ahead of it. */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>): LatePart<P> => latePart(load, retry);

/** Once the page has nothing better to do. */
export function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'undefined') setTimeout(act, 1_000);
  else requestIdleCallback(act, { timeout: 3_000 });
}
