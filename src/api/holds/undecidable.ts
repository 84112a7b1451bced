// Questions that no one who is asked can decide any more: operators learn of them, as people who left are not asked again.
import type { FastifyBaseLogger } from 'fastify';
import { noDeciderOf, type Known, type NoDecider } from '../../core/consent/deciders.ts';
import { shortHash } from '../../host/secrets/hash.ts';
import { repeating, type Repeating } from '../../host/process/repeating.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { isSameSections, knownNow, sectionsOf } from './known-people.ts';
import { channelsWith, operatorsOf, startNotice } from './hold-notice.ts';
import { holdPages } from './hold-pages.ts';

type Deps = Pick<ApiContext, 'config' | 'now' | 'store' | 'tasks'> & { log: Pick<FastifyBaseLogger, 'warn'> };

/** How often it is seen that the configuration was read again. */
const lookMs = 1_000;
/** After one that failed. */
const againMs = 30_000;
/** Deputies and keys begin and end by the clock, and questions open. */
const everyMs = 300_000;
/** Notices of one pass: who removes a whole department learns the rest by the log and the metric. */
const maxNotices = 20;
const maxNamed = 10;

interface Found {
  row: HoldRow;
  why: NoDecider;
}

/** By this name one api of the installation has the pass of these five minutes. */
const leaseName = 'deciders-watched';

/**
 * Marks and reports what no one can decide; begins again at once when the configuration was read again. Of several apis with one
 * configuration the first does it; one that fails keeps it and tries on.
 */
export function createDeciderWatch(deps: Deps): Repeating<void> {
  let [seen, dueMs] = [sectionsOf(deps.config), 0];
  let isFailing = false;
  return repeating(lookMs, async (signal) => {
    const sections = sectionsOf(deps.config);
    const nowMs = deps.now().getTime();
    if (nowMs < dueMs && isSameSections(seen, sections)) return;
    [seen, dueMs] = [sections, nowMs + everyMs];
    try {
      if (
        !isFailing &&
        !(await deps.store.settings.take(leaseName, everyMs - lookMs, shortHash(JSON.stringify(sections))))
      )
        return;
      await reportUndecidable(deps, signal);
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        deps.log.warn({ err: error }, 'it was not checked whether somebody can decide each question; trying on');
      isFailing = true;
      dueMs = nowMs + againMs;
    }
  });
}

/** One pass over all open questions. */
export async function reportUndecidable(deps: Deps, signal?: AbortSignal): Promise<void> {
  const known = knownNow(deps);
  // People are not known whom an identity provider knows, and without keys the one caller decides everything.
  if (known.others === 'any') return;
  const found: Found[] = [];
  for await (const { items } of holdPages(deps.store, { statuses: ['open'] })) {
    found.push(...(await markPage(deps, known, items)));
    if (signal?.aborted === true) break;
  }
  logOf(deps, found);
  await noticeEach(deps, found.slice(0, maxNotices));
}

/** Returns those that no process had found before. */
async function markPage({ store }: Deps, known: Known, rows: readonly HoldRow[]): Promise<Found[]> {
  const found = rows.flatMap((row): Found[] => {
    // What cannot be read is reported as such.
    const why = row.fault === undefined ? noDeciderOf(known, row) : null;
    return why === null ? [] : [{ row, why }];
  });
  const ids = found.map(({ row }) => row.holdId);
  await store.holds.markUndecidable(
    rows.map(({ holdId }) => holdId).filter((holdId) => !ids.includes(holdId)),
    false,
  );
  const marked = await store.holds.markUndecidable(ids, true);
  return found.filter(({ row }) => marked.includes(row.holdId));
}

/** Throws, and has them found again, where a notice is not taken. */
async function noticeEach(deps: Deps, found: readonly Found[]): Promise<void> {
  for (const [index, { row }] of found.entries()) {
    if (await isNoticed(deps, row)) continue;
    const left = found.slice(index).map((one) => one.row.holdId);
    await deps.store.holds.markUndecidable(left, false);
    throw new Error('operators were not notified: Temporal did not take the notice');
  }
}

/** Once for each audience: what it is named by grows with each move and step. */
function isNoticed(deps: Deps, row: HoldRow): Promise<boolean> {
  const channels = channelsWith(deps, row, operatorsOf(deps));
  return startNotice(deps, row, { event: 'undecidable', k: row.moves.length + row.stepsTaken, channels });
}

function logOf({ log }: Deps, found: readonly Found[]): void {
  if (found.length === 0) return;
  const gone = [...new Set(found.flatMap(({ why }) => why.gone))];
  const holds = found.slice(0, maxNamed).map(({ row }) => row.holdId);
  log.warn(
    { questions: found.length, holds, gone },
    'no one who is asked can decide these questions: pass them on (`standfast reassign`), or change their policy and apply it to them (`standfast holds --policy NAME reapply`)',
  );
}
