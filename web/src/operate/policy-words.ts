// A policy in sentences, and its ladder as places on a line; pure.
import type { AskedEntry, PolicyDetail } from '../../../src/contract/views/operate.ts';
import { parseEntry } from '../../../src/core/policy/audience-entry.ts';
import { shortEntry } from '../base/account/names.ts';
import { durationWords } from '../base/time/time-words.ts';
import { strings } from '../i18n/strings.ts';

const words = strings.operate;

/** "anyone in finance", "Anna", "the requester", "Checker (agent)". */
export function entryWords(entry: string): string {
  const { kind } = parseEntry(entry);
  const name = shortEntry(entry, words.owner);
  switch (kind) {
    case 'owner':
    case 'user':
      return name;
    case 'role':
      return words.anyoneIn(name);
    case 'agent':
      return words.agentOf(name);
    default:
      return kind satisfies never;
  }
}

export const askedWords = (asked: readonly AskedEntry[]): string =>
  asked.map(({ entry }) => entryWords(entry)).join(words.or);

const units = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const;
const isUnit = (text: string): text is keyof typeof units => Object.hasOwn(units, text);

/** `30m` → 30 min, as times are written everywhere; what is written otherwise stays as it is. */
export function spanWords(text: string): string {
  const [, number, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return number === undefined || !isUnit(unit) ? text : strings.time[units[unit]](Number(number));
}

/** The sentences of a ladder, in order of time. */
export function ladderWords({ ladder, expire }: Pick<PolicyDetail, 'ladder' | 'expire'>): string[] {
  const steps = ladder.map(({ after: span, do: what, to, replace, every }) => {
    const after = spanWords(span);
    if (what === 'remind') return every === null ? words.reminds(after) : words.remindsEvery(after, spanWords(every));
    return replace ? words.replaces(after, askedWords(to)) : words.adds(after, askedWords(to));
  });
  return [...steps, strings.expiry.after[expire.then](spanWords(expire.after))];
}

export interface LadderPoint {
  kind: 'asked' | 'remind' | 'escalate' | 'end';
  /** Share of the way to the end, 0 to 1. */
  at: number;
  label: string;
}

/** Where its steps lie on a line; those that crowd are moved apart enough to be distinguished. */
export function ladderLine({ ladder, expire }: Pick<PolicyDetail, 'ladder' | 'expire'>): LadderPoint[] {
  const whole = Math.max(expire.atMs, 1);
  const steps = ladder.filter(({ atMs }) => atMs < whole);
  // By the root of time: what happens in the first hour of three days would lie on one point.
  const share = (ms: number): number => Math.sqrt(Math.min(Math.max(ms, 0), whole) / whole);
  const points: LadderPoint[] = [
    { kind: 'asked', at: 0, label: '' },
    ...steps.map(({ atMs, do: what }) => ({ kind: what, at: share(atMs), label: durationWords(atMs) })),
    { kind: 'end', at: 1, label: durationWords(whole) },
  ];
  const apart = 0.09;
  let before = 0;
  return points.map((point, index) => {
    if (index === 0) return point;
    const most = 1 - (points.length - 1 - index) * apart;
    const at = Math.min(Math.max(point.at, before + apart), most);
    before = at;
    return { ...point, at };
  });
}
