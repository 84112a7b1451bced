import type { HoldRow } from '../../store.ts';

type Untouched =
  | 'carriedByRun'
  | 'claim'
  | 'reassignAsks'
  | 'nudges'
  | 'takenBack'
  | 'stepsDone'
  | 'moves'
  | 'version'
  | 'restoredMac';

/** What the row of a question has before anyone acts on it. */
export const newRow = (): Pick<HoldRow, Untouched> => ({
  carriedByRun: null,
  claim: null,
  reassignAsks: [],
  nudges: [],
  takenBack: [],
  stepsDone: [],
  moves: [],
  version: 1,
  restoredMac: null,
});
