// What the parts of one hold's pane share.
import { createContext, useContext } from 'react';
import type { DecisionBody } from '../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { PrecedentsView } from '../../../src/contract/views/precedents.ts';
import type { Arm } from './decide/use-arm.ts';
import type { Decision } from './decide/use-decision.ts';
import type { Work } from './draft/use-work.ts';
import type { Standing } from './record/standing.ts';

/** What the list asks of a hold as it opens it. */
export type Armed = 'approve' | 'reject' | 'reassign' | null;

export interface Pane {
  /** As it is shown: what is read and decided on. */
  hold: HoldView;
  /** As the server has it now. */
  newest: HoldView;
  standing: Standing;
  /** Others have it now, and the reader may not see it any more. */
  isGone: boolean;
  myId: string | null;
  /** What was decided before; null until it has come, and where nothing can be decided. */
  precedents: PrecedentsView | null;
  work: Work;
  arm: Arm;
  decision: Decision;
  submit: (body: DecisionBody) => void;
  /** Why nothing can be decided now, in words; null: it can. */
  lockedWhy: string | null;
  /** Armed, or opened, once. */
  armed: Armed;
  /** Part of another page, which shows the rest. */
  isInline: boolean;
  /** Unique on the page, and the same for one hold: the form's `idPrefix`. */
  idPrefix: string;
  reread: () => Promise<void>;
  /** The hold as an answer of the server brought it. */
  take: (hold: HoldView) => void;
  /** The person has acknowledged the change of the question. */
  seen: () => void;
  /** Opens what comes next in the list; null when nothing does. */
  onNext: (() => void) | null;
}

const PaneContext = createContext<Pane | null>(null);

export const PaneProvider = PaneContext.Provider;

export function usePane(): Pane {
  const pane = useContext(PaneContext);
  if (pane === null) throw new Error('a part of a pane is outside of one');
  return pane;
}
