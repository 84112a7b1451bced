// The acts on one question as a page offers them: one list for buttons, keys, the palette (which reads the keys) and the inbox.
import type { ActName } from '../../../../src/contract/acts/act-names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { actKeys } from './act-keys.ts';
import { isMe } from '../words/people.ts';

/** Who reads the page. */
export interface Reader {
  id: string | null;
  isOperator: boolean;
}

interface PageAct {
  key?: string;
  icon?: string;
  /** Whether this reader may do it, and it would change something. */
  isOffered: (hold: HoldView, reader: Reader) => boolean;
}

const isOpen = ({ status }: HoldView): boolean => status === 'open';
const isClaimant = ({ claim }: HoldView, { id }: Reader): boolean => claim !== null && isMe(claim.by, id);

export const pageActs = {
  claim: {
    key: actKeys.claim,
    icon: 'claim',
    isOffered: (hold, reader) => isOpen(hold) && hold.mayDecide && !isClaimant(hold, reader),
  },
  release: {
    key: actKeys.release,
    icon: 'claim',
    isOffered: (hold, reader) => isOpen(hold) && isClaimant(hold, reader),
  },
  answer: { isOffered: ({ mayDecide }) => mayDecide },
  withdraw: { isOffered: (hold, { id }) => isOpen(hold) && hold.votes.by.some(({ by }) => isMe(by, id)) },
  undo: { isOffered: ({ outgoing }) => outgoing?.mayUndo === true },
  reassign: {
    key: actKeys.reassign,
    icon: 'forward',
    isOffered: (hold, { isOperator }) => isOpen(hold) && (hold.mayDecide || isOperator),
  },
  'ask-reassign': { isOffered: (hold, { isOperator }) => isOpen(hold) && !hold.mayDecide && !isOperator },
  extend: { icon: 'calendar', isOffered: ({ mayExtend, expiresAt }) => mayExtend && expiresAt !== null },
  nudge: { isOffered: ({ mayNudge }) => mayNudge },
  snooze: { key: actKeys.snooze, icon: 'clock', isOffered: (hold) => isOpen(hold) && hold.forMe },
  unsnooze: { isOffered: (hold) => isOpen(hold) && hold.snoozedUntil !== null },
  comment: { isOffered: ({ mayDiscuss }) => mayDiscuss },
  cancel: { isOffered: (hold, { id, isOperator }) => isOpen(hold) && (isOperator || hold.requester === id) },
  // Many at once alone: on the pages of policies and agents.
  reapply: { isOffered: () => false },
} as const satisfies Record<ActName, PageAct>;
