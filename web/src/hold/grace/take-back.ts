// Taking back one's own decision while it has not gone out: from its own page, or from wherever one went on to.
import { useCallback } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { ApiError, holdApi, send } from '../../app/live/api.ts';
import { type Sending, useSending } from '../../app/live/use-sending.ts';
import { announce } from '../../app/shell/announce.tsx';
import { strings } from '../../i18n/strings.ts';

const whyOf = (error: unknown): string =>
  error instanceof ApiError && error.code === 'hold_closed' ? strings.grace.tooLate : strings.grace.notUndone;

/** `onTaken` gets the question, which is open again. */
export function useTakeBack(
  id: string,
  onTaken: (hold: HoldView) => void,
): Pick<Sending, 'isSending' | 'why'> & { takeBack: () => Promise<unknown> } {
  const { isSending, why, run } = useSending(whyOf);
  const takeBack = useCallback(
    () =>
      run(async () => {
        onTaken(await send<HoldView>('POST', holdApi(id, '/undo')));
        announce(strings.grace.undone, { assertive: true });
      }),
    [id, onTaken, run],
  );
  return { isSending, why, takeBack };
}
