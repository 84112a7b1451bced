// Taking back one's own decision while it has not gone out: from its own page, or from wherever one went on to.
import { useCallback, useState } from 'react';
import type { HoldView } from '../../../../src/contract/hold.ts';
import { announce } from '../../app/announce.tsx';
import { ApiError, send } from '../../app/api.ts';
import { strings } from '../../i18n/strings.ts';

export type TakeBack = 'idle' | 'sending' | { why: string };

/** `onTaken` gets the question, which is open again. */
export function useTakeBack(
  id: string,
  onTaken: (hold: HoldView) => void,
): { state: TakeBack; takeBack: () => Promise<void> } {
  const [state, setState] = useState<TakeBack>('idle');
  const takeBack = useCallback(async (): Promise<void> => {
    setState('sending');
    try {
      onTaken(await send<HoldView>('POST', `/api/holds/${encodeURIComponent(id)}/undo`));
      setState('idle');
      announce(strings.grace.undone, { assertive: true });
    } catch (error) {
      const isLate = error instanceof ApiError && error.code === 'hold_closed';
      setState({ why: isLate ? strings.grace.tooLate : strings.grace.notUndone });
    }
  }, [id, onTaken]);
  return { state, takeBack };
}
