// Who can act just now, as the configuration has it: made once a minute, and when it is read again.
import type { Config } from '../../contract/configuration/config.ts';
import { knownAt, type Known } from '../../core/consent/deciders.ts';
import type { PolicyTimes } from '../api-parts.ts';

type Made = Pick<Config, 'agents' | 'users' | 'notifications'> & { keys: Config['auth']['keys']; minute: number };

const minuteMs = 60_000;
const made = new WeakMap<Config, Made & { known: Known }>();

/** A reload replaces the sections of a configuration. */
export function sectionsOf({ agents, users, notifications, auth }: Config): Omit<Made, 'minute'> {
  return { agents, users, notifications, keys: auth.keys };
}

export const isSameSections = (one: Omit<Made, 'minute'>, other: Omit<Made, 'minute'>): boolean =>
  one.agents === other.agents &&
  one.users === other.users &&
  one.notifications === other.notifications &&
  one.keys === other.keys;

export function knownNow({ config, now }: PolicyTimes): Known {
  const sections = sectionsOf(config);
  const minute = Math.floor(now().getTime() / minuteMs);
  const before = made.get(config);
  if (before !== undefined && before.minute === minute && isSameSections(before, sections)) return before.known;
  const known = knownAt(config, now());
  made.set(config, { ...sections, minute, known });
  return known;
}
