// What the parts of one hold's pane share.
import { createContext, createElement, useContext, type ReactNode } from 'react';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { PrecedentsView } from '../../../../src/contract/views/precedents.ts';
import type { Arm } from './use-arm.ts';
import type { Decision } from './decision.ts';
import type { Work } from './work.ts';
import type { Standing } from './standing.ts';

/** What the list asks of a hold as it opens it. */
export type Armed = 'approve' | 'reject' | 'reassign' | null;

/** The question, and what is known of it: the same while one arms, writes and sends. */
export interface Question {
  /** As it is shown: what is read and decided on. */
  hold: HoldView;
  /** As the server has it now. */
  newest: HoldView;
  /** Others have it now, and the reader may not see it any more. */
  isGone: boolean;
  myId: string | null;
  /** What was decided before; null until it has come, and where nothing can be decided. */
  precedents: PrecedentsView | null;
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

export interface Pane extends Question {
  standing: Standing;
  work: Work;
  arm: Arm;
  decision: Decision;
  submit: (body: DecisionBody) => void;
  /** Why nothing can be decided now, in words; null: it can. */
  lockedWhy: string | null;
}

const QuestionContext = createContext<Question | null>(null);
const PaneContext = createContext<Pane | null>(null);

interface ProviderProps {
  question: Question;
  pane: Pane;
  children: ReactNode;
}

export const PaneProvider = ({ question, pane, children }: ProviderProps): ReactNode =>
  createElement(QuestionContext, { value: question }, createElement(PaneContext, { value: pane }, children));

function inPane<T>(value: T | null): T {
  if (value === null) throw new Error('a part of a pane is outside of one');
  return value;
}

export const usePane = (): Pane => inPane(useContext(PaneContext));

/** For parts that are drawn again with the question alone, whatever its reader presses. */
export const useQuestion = (): Question => inPane(useContext(QuestionContext));
