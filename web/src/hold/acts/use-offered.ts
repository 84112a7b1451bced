import type { ActName } from '../../../../src/contract/acts/act-names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { useMe } from '../../base/account/me.ts';
import { pageActs } from './acts.ts';
import { useQuestion } from '../pane/pane.ts';

/** Whether the question that is shown offers this act to who reads it. */
export function useOffered(act: ActName, shown?: HoldView): boolean {
  const { hold, myId } = useQuestion();
  const isOperator = useMe()?.isOperator === true;
  return pageActs[act].isOffered(shown ?? hold, { id: myId, isOperator });
}
