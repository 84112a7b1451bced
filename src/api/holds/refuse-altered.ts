import { errorOf } from '../../core/base/errors.ts';
import { refuseDamaged } from '../../core/answers/decision.ts';
import { isAsAsked } from '../../core/consent/acted-on.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';

/**
 * Throws `hold_damaged` if the question cannot be read or is not the one that was asked, or if its row is not as its last evidence
 * record left it; the latter is recorded in the evidence once.
 */
export async function refuseAltered(
  { store, log, prover }: Pick<ApiContext, 'store' | 'log' | 'prover'>,
  hold: HoldRow,
): Promise<void> {
  const { holdId, interruptId } = hold;
  const isIntact = (await store.evidence.check(holdId)) === 'intact' && isAsAsked(prover, hold);
  const fault = hold.fault ?? (isIntact ? undefined : 'altered');
  if (fault === undefined) return;
  log.error({ holdId, fault }, 'an answer was refused: the stored question cannot be read, or was altered');
  throw errorOf(refuseDamaged(interruptId, fault));
}
