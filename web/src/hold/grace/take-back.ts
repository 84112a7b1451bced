// Taking back what one did last: a decision that has not been sent, or a question that was passed on and lies with others
// still; from its own page, or from wherever one went on to.
import { useCallback } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { ApiError, holdApi, send } from '../../base/live/api.ts';
import { type Sending, useSending } from '../../base/live/use-sending.ts';
import { announce } from '../../base/page/announce.tsx';
import { comeBack } from './move-on.ts';
import { strings } from '../../i18n/strings.ts';

const whyOf = (error: unknown): string =>
  error instanceof ApiError && error.code === 'hold_closed' ? strings.grace.tooLate : strings.grace.notUndone;

/** `onTaken` gets the question, which is open again; `from`: who was asked before it was passed on. */
export function useTakeBack(
  id: string,
  onTaken: (hold: HoldView) => void,
  from?: readonly string[],
): Pick<Sending, 'isSending' | 'why'> & { takeBack: () => Promise<unknown> } {
  const { isSending, why, run } = useSending(whyOf);
  const takeBack = useCallback(
    () =>
      run(async () => {
        const hold = await (from === undefined
          ? send<HoldView>('POST', holdApi(id, '/undo'))
          : send<HoldView>('POST', holdApi(id, '/reassign'), { to: from }));
        comeBack(id);
        onTaken(hold);
        announce(strings.grace.undone, { assertive: true });
      }),
    [id, from, onTaken, run],
  );
  return { isSending, why, takeBack };
}
