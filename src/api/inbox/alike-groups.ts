// The open questions of a list that its reader can answer together, counted over all of it.
import type { AlikeGroups } from '../../contract/views/inbox.ts';
import { bulkAtMost } from '../../contract/views/inbox-names.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { type Comparable, togetherGroups } from '../../core/answers/together.ts';
import type { HoldFilter } from '../../store/tables/holds/hold-filter.ts';
import type { HoldRow } from '../../store/store.ts';
import { holdRowViewOf, type HoldContext } from '../holds/hold-line.ts';
import { holdPages } from '../holds/hold-pages.ts';
import { comparedFields } from '../holds/hold-view.ts';
import type { WithClock, WithStore } from '../api-parts.ts';

/** Compared no further: what is due first comes first. */
const comparedAtMost = 1_000;
const groupsAtMost = 20;

interface Asked {
  filter: HoldFilter;
  principal: Principal;
  /** The hold whose group is wanted as lines. */
  like: string | undefined;
  contextsOf: (rows: readonly HoldRow[]) => Promise<(row: HoldRow) => HoldContext>;
}

export async function readAlike(api: WithStore & WithClock, asked: Asked): Promise<AlikeGroups> {
  const { filter, principal, like, contextsOf } = asked;
  const { rows, compared, isAll } = await openRows(api, filter, principal);
  const groups = togetherGroups(compared);
  const mine = like === undefined ? undefined : groups.find(({ holds }) => holds.some(({ id }) => id === like));
  // The one that it is asked for is among them, however many there are.
  const ids = new Set([like, ...(mine?.holds ?? []).map(({ id }) => id)].slice(0, bulkAtMost));
  const wanted = mine === undefined ? [] : rows.filter(({ holdId }) => ids.has(holdId));
  const contextOf = wanted.length === 0 ? null : await contextsOf(wanted);
  return {
    groups: groups
      .slice(0, groupsAtMost)
      .flatMap(({ holds, title, sum }) =>
        holds[0] === undefined ? [] : [{ id: holds[0].id, title, count: holds.length, sum }],
      ),
    rows: contextOf === null ? [] : wanted.map((row) => holdRowViewOf(row, principal, contextOf(row))),
    isAll,
  };
}

interface Open {
  rows: HoldRow[];
  compared: Comparable[];
  isAll: boolean;
}

/** Each page is made comparable before the next is read, so that others are served in between. */
async function openRows(api: WithStore & WithClock, filter: HoldFilter, principal: Principal): Promise<Open> {
  const open: Open = { rows: [], compared: [], isAll: true };
  const context = { request: '', now: api.now().toISOString() };
  for await (const { items, nextCursor } of holdPages(api.store, filter)) {
    open.rows.push(...items);
    open.compared.push(...items.map((row) => comparedFields(row, principal, context)));
    if (nextCursor !== null && open.rows.length >= comparedAtMost) return { ...open, isAll: false };
  }
  return open;
}
