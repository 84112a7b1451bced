// Whom a comment may name, and does.
import { mayAct } from '../../core/acts/may.ts';
import { allUsers } from '../../core/policy/delegates.ts';
import type { HoldRow } from '../../store/store.ts';
import type { PolicyTimes } from '../api-parts.ts';

/** Everybody who could be named, except the caller. */
export function discussersOf({ config, now }: PolicyTimes, hold: HoldRow, self: string): string[] {
  return allUsers(config, now())
    .filter((person) => person.id !== self && mayAct('comment', hold, person, hold.owner))
    .map(({ id }) => id)
    .toSorted();
}

/** `@anna` and `@anna@example.org`: the longest name that fits, of those who take part; any other @ is text. */
export function mentionsIn(text: string, names: readonly string[]): string[] {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const found = new Set<string>();
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])@/gu)) {
    const rest = text.slice(index + 1);
    const name = longestFirst.find((one) => rest.startsWith(one) && !/^[\p{L}\p{N}_-]/u.test(rest.slice(one.length)));
    if (name !== undefined) found.add(name);
  }
  return [...found];
}
