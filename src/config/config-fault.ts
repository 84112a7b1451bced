import type { Config } from '../contract/configuration/config.ts';
import type { Policy } from '../contract/configuration/policy.ts';
import { parseEntry, type AudienceEntry } from '../core/policy/audience-entry.ts';
import { durationMs } from '../core/policy/duration.ts';
import type { Path } from './config-source.ts';

/** A fault of several keys together. */
export interface CrossFault {
  path: Path;
  message: string;
  /** Other values whose absence or default could be its only reason: where they are wrong themselves, it is not known. */
  basis?: Path[];
}

/** An audience entry and its path in the file. */
interface EntryAt {
  entry: AudienceEntry;
  text: string;
  path: Path;
}

export const entryAt = (text: string, path: Path): EntryAt => ({ entry: parseEntry(text), text, path });

type Named = Pick<Policy, 'audience' | 'ladder'> & Partial<Pick<Policy, 'stages'>>;

/** All audience entries of a policy, those of its stages and ladders included. */
export const entriesNamed = (policy: string, { stages = [], ...own }: Named): EntryAt[] => [
  ...entriesAt(own, ['policies', policy]),
  ...stages.flatMap((stage, index) => entriesAt(stage, ['policies', policy, 'stages', index])),
];

const entriesAt = ({ audience, ladder }: Omit<Named, 'stages'>, at: Path): EntryAt[] => [
  ...audience.map((text, index) => entryAt(text, [...at, 'audience', index])),
  ...ladder.flatMap(({ escalate = [] }, index) =>
    escalate.map((text, nth) => entryAt(text, [...at, 'ladder', index, 'escalate', nth])),
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

const named = {
  policy: { one: 'a policy', many: 'policies', at: ['policies'], in: ({ policies }: Config): object => policies },
  agent: { one: 'an agent', many: 'agents', at: ['agents'], in: ({ agents }: Config): object => agents },
  channel: {
    one: 'a channel',
    many: 'notification channels',
    at: ['notifications', 'channels'],
    in: ({ notifications }: Config): object => notifications.channels,
  },
};

/** The fault of a name that no policy, agent or channel of the file has; empty when one has. */
export function nameFaults(name: string, config: Config, what: keyof typeof named, path: Path): CrossFault[] {
  const { one, many, at, in: section } = named[what];
  const known = section(config);
  if (Object.hasOwn(known, name)) return [];
  const names = Object.keys(known);
  const expected = names.length > 0 ? `expected one of ${names.join(', ')}` : `no ${many} are defined`;
  const message = `found "${name}", which is not ${one} of this file: ${expected}`;
  return [{ path, message, basis: [[...at, name]] }];
}

/** RFC 9110 §5 syntax of field names and values; `fetch` would reject anything else later, for each message. */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

export function headerFaults(headers: Record<string, string>, path: Path): CrossFault[] {
  return Object.entries(headers).flatMap(([header, value]): CrossFault[] => {
    const at = [...path, header];
    return [
      ...(fieldName.test(header) ? [] : [{ path: at, message: `"${header}" is not the name of an HTTP header` }]),
      ...(fieldValue.test(value)
        ? []
        : [{ path: at, message: 'found a line break or another character that no HTTP header may have' }]),
    ];
  });
}
