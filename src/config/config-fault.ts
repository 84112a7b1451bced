import type { Policy } from '../contract/configuration/policy.ts';
import { parseEntry, type AudienceEntry } from '../core/policy/audience-entry.ts';
import { durationMs } from '../core/policy/duration.ts';
import type { Path } from './config-source.ts';

/** A fault of several keys together. */
export interface CrossFault {
  path: Path;
  message: string;
}

/** An audience entry and its path in the file. */
interface EntryAt {
  entry: AudienceEntry;
  text: string;
  path: Path;
}

export const entryAt = (text: string, path: Path): EntryAt => ({ entry: parseEntry(text), text, path });

/** All audience entries of a policy, its ladder's included. */
export const entriesNamed = (policy: string, { audience, ladder }: Pick<Policy, 'audience' | 'ladder'>): EntryAt[] => [
  ...audience.map((text, index) => entryAt(text, ['policies', policy, 'audience', index])),
  ...ladder.flatMap(({ escalate = [] }, index) =>
    escalate.map((text, nth) => entryAt(text, ['policies', policy, 'ladder', index, 'escalate', nth])),
  ),
];

/** Ten years: longer durations are typing errors, and far longer ones exceed the range of dates. */
export const longestMs = 3650 * 86_400_000;

export function durationFaults(text: string, path: Path): CrossFault[] {
  const ms = durationMs(text);
  if (ms <= 0) return [{ path, message: `found ${text}: expected a duration longer than nothing` }];
  if (ms > longestMs) return [{ path, message: `found ${text}: expected at most ten years (3650d)` }];
  return [];
}

/** The fault of a name that must be a key of `known`; empty when it is. */
export function nameFaults(name: string, known: object, what: string, path: Path): CrossFault[] {
  if (Object.hasOwn(known, name)) return [];
  const names = Object.keys(known);
  const [one = '', many = ''] = what.split('|');
  const expected = names.length > 0 ? `expected one of ${names.join(', ')}` : `no ${many} are defined`;
  return [{ path, message: `found "${name}", which is not ${one} of this file: ${expected}` }];
}
