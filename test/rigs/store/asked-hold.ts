// The question that a program asked under an id of its own.
import { askThreadId } from '../../../src/api/ask/ask-runs.ts';
import { askAgent } from '../../../src/core/base/ids.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { waitFor } from '../wait-for.ts';

/** Waits until it is open. */
export const askedHold = (
  { holds }: { holds: Pick<Store['holds'], 'ofThread'> },
  caller: string,
  id: string,
  boundMs = 10_000,
): Promise<HoldRow> =>
  waitFor(
    async () => (await holds.ofThread(askAgent, askThreadId({ id: caller }, id)))[0],
    boundMs,
    `the question ${id}`,
  );
