// Who is asked, who did it: principals and audiences as people say them.
import type { HoldView } from '../../../../src/contract/hold.ts';
import { nameFor, shortName } from '../../app/names.ts';
import { strings } from '../../i18n/strings.ts';

/** `role:finance` → finance, `owner` → bob (who started it), `agent:x` → x (agent). */
export function audienceWords(audience: readonly string[], requester: string): string {
  const words = audience.map((entry) => {
    if (entry === 'owner') return strings.hold.owner(shortName(requester));
    return entry.startsWith('agent:') ? strings.hold.anAgent(shortName(entry)) : shortName(entry);
  });
  return words.length === 0 ? strings.hold.nobody : words.join(', ');
}

/** For who may not decide, nor see who started it: of an owner among others nothing is said, it may be the reader themselves. */
export function othersWords(audience: readonly string[]): string {
  const others = audience.filter((entry) => entry !== 'owner');
  return others.length === 0 && audience.length > 0 ? strings.hold.starter : audienceWords(others, '');
}

type Asked = Pick<HoldView, 'audience' | 'exclude' | 'requester'>;

/** Who decides: not the requester where the policy leaves them out. */
export function deciderWords({ audience, exclude, requester }: Asked): string {
  const isKeptOut = (entry: string): boolean => entry === 'owner' || entry === `user:${requester}`;
  const others = exclude.includes('requester') ? audience.filter((entry) => !isKeptOut(entry)) : audience;
  return audienceWords(others, requester);
}

/** The same, with a word on who is left out: a role of their may be asked. */
export function formatAudience(hold: Asked): string {
  const who = deciderWords(hold);
  return hold.exclude.includes('requester') ? strings.hold.askedBut(who, shortName(hold.requester)) : who;
}

/** Who ended or decided it; the reader is "You". */
export function actorWords(by: string, myId: string | null): string {
  if (by.startsWith('policy:')) return strings.hold.byPolicy(shortName(by));
  if (by.startsWith('agent:')) return strings.hold.byAgent(shortName(by));
  if (by === 'operator' || by.startsWith('operator:')) return strings.hold.byOperator;
  return nameFor(by, myId, strings.hold.you);
}

export const isMe = (by: string, myId: string | null): boolean =>
  myId !== null && (by === myId || by === `user:${myId}`);

/** The agent's words after our verb: in quotes, at most 40 characters, never more than one line. */
export function objectWords(
  hold: Pick<HoldView, 'title' | 'tool'>,
  oneLine: (text: string, max: number) => string,
): string {
  const text =
    hold.tool?.name ?? hold.title.replace(/^\s*(approve|confirm|allow)\b[\s:]*/iu, '').replace(/\s*\?+\s*$/u, '');
  const short = oneLine(text, 40);
  return short === '' ? '' : ` “${short}”`;
}
