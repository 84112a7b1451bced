// What the person is writing, as the parts of a pane see it; draft/ keeps it.
import type { Dict } from '../values/dict.ts';

/** A part of a draft that has no place in the question as it is now. */
export interface Dropped {
  label: string;
  text: string;
}

export type DraftState =
  | { state: 'none' }
  | { state: 'saving' }
  | { state: 'saved'; at: string }
  | { state: 'failed' }
  | { state: 'refused' };

export interface Written {
  /** In the shape of the answer; a form keeps its own and tells it here. */
  values: Dict;
  reason: string;
  /** JSON that cannot be read yet, as it was typed; empty once it can. */
  text: string;
}

export interface Work extends Written {
  setText: (text: string) => void;
  setValues: (values: Dict) => void;
  setReason: (reason: string) => void;
  isTouched: boolean;
  saved: DraftState;
  /** When the draft that was found had been saved. */
  restoredAt: string | null;
  /** Parts of the draft that have no place in this question. */
  dropped: Dropped[];
  startOver: () => void;
  /** Changes when the values were set from outside: what keeps its own copy begins again. */
  epoch: number;
}
