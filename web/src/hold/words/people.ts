// Who is asked, who did it: principals and audiences as people say them.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { parseActor, isKind } from '../../../../src/core/policy/audience-entry.ts';
import { nameFor, shortEntry, shortName } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';

/** `role:finance` → finance, `owner` → bob (who started it), `agent:x` → x (agent). */
export function audienceWords(audience: readonly string[], requester: string): string {
  const words = audience.map((entry) => {
    const name = shortEntry(entry, strings.hold.owner(shortName(requester)));
    return isKind(entry, 'agent') ? strings.hold.anAgent(name) : name;
  });
  return words.length === 0 ? strings.hold.noOne : words.join(', ');
}

/** For who may not decide, nor see who started it: of an owner among others nothing is shown, it may be the reader themselves. */
export function othersWords(audience: readonly string[]): string {
  const others = audience.filter((entry) => !isKind(entry, 'owner'));
  return others.length === 0 && audience.length > 0 ? strings.hold.starter : audienceWords(others, '');
}

type Asked = Pick<HoldView, 'audience' | 'exclude' | 'requester'>;

/** Who decides: not the requester where the policy leaves them out. */
export function decidersOf({ audience, exclude, requester }: Asked): readonly string[] {
  const isKeptOut = (entry: string): boolean => isKind(entry, 'owner') || entry === `user:${requester}`;
  return exclude.includes('requester') ? audience.filter((entry) => !isKeptOut(entry)) : audience;
}

export const deciderWords = (hold: Asked): string => audienceWords(decidersOf(hold), hold.requester);

/** The same, with a word on who is left out: a role of their may be asked. */
export function formatAudience(hold: Asked): string {
  const who = deciderWords(hold);
  return hold.exclude.includes('requester') ? strings.hold.askedBut(who, shortName(hold.requester)) : who;
}

/** Who ended or decided it; the reader is "You". */
export function actorWords(by: string, myId: string | null): string {
  const { kind } = parseActor(by);
  switch (kind) {
    case 'policy':
      return strings.hold.byPolicy(shortName(by));
    case 'agent':
      return strings.hold.byAgent(shortName(by));
    case 'operator':
      return strings.hold.byOperator;
    case 'person':
      return nameFor(by, myId, strings.hold.you);
    default:
      return kind satisfies never;
  }
}

/** The same, of an answer: in whose stead it was given, too. */
export function authorWords(
  { by, inPlaceOf = [] }: { by: string; inPlaceOf?: string[] | undefined },
  myId: string | null,
): string {
  const who = actorWords(by, myId);
  const others = inPlaceOf.map((user) => nameFor(user, myId, strings.hold.you.toLowerCase())).join(', ');
  return others === '' ? who : strings.hold.inPlaceOf(who, others);
}

export const isMe = (by: string, myId: string | null): boolean =>
  myId !== null && (by === myId || by === `user:${myId}`);

/** What an answer is to, after our verb: the tool, else the agent's own words; in quotes, at most 40 characters of one line. */
export function objectWords(
  { title, hasOwnTitle, lead, tool }: Pick<HoldView, 'title' | 'hasOwnTitle' | 'lead' | 'tool'>,
  oneLine: (text: string, max: number) => string,
): string {
  const text = tool?.name ?? (hasOwnTitle ? title : (lead ?? ''));
  const short = oneLine(text, 40).replace(/[\s?\u061F\uFF1F]+$/u, '');
  return short === '' ? '' : ` “${short}”`;
}
