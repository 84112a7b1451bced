// The facts at the end of an open line: each as it is shown, and as it is read out.
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { nameFor, shortName } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';

export interface RowFact {
  name: string;
  /** For ears, and for who points at it. */
  spoken: string;
  /** Next to the icon, if any. */
  shown?: string;
  icon?: 'up' | 'pencil';
  isWarning?: boolean;
  /** Shown as dots in place of text. */
  dots?: { have: number; need: number };
}

/** Each in its order; null where it says nothing. */
const facts: readonly ((row: HoldRowView, myId: string | null) => RowFact | null)[] = [
  ({ escalations }) => {
    const spoken = strings.inbox.escalated(escalations);
    return escalations === 0 ? null : { name: 'escalated', spoken, shown: spoken, icon: 'up', isWarning: true };
  },
  ({ reassignAsks }) => {
    const { reassign, reassignAsked } = strings.inbox;
    return reassignAsks.length === 0 ? null : { name: 'asks', spoken: reassignAsked, shown: reassign, isWarning: true };
  },
  ({ votes: { have, need } }) =>
    need < 2 ? null : { name: 'votes', spoken: strings.inbox.votesLong(have, need), dots: { have, need } },
  ({ claim }, myId) =>
    claim === null
      ? null
      : {
          name: 'claim cut',
          spoken: claimWords(claim, myId),
          shown: nameFor(claim.by, myId, strings.ends.you),
          icon: 'pencil',
        },
];

export const factsOf = (row: HoldRowView, myId: string | null): RowFact[] =>
  facts.flatMap((factOf) => factOf(row, myId) ?? []);

export const claimWords = ({ by }: { by: string }, myId: string | null): string =>
  by === myId ? strings.inbox.youWorkOnIt : strings.inbox.worksOnIt(shortName(by));
