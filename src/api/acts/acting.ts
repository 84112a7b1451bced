// What every act on a question gets, and returns: the question as its row is afterwards.
import type { Principal } from '../../contract/base/principal.ts';
import { asActedOn, whyNotAct } from '../../core/acts/may.ts';
import { type ActName, acts, whoWords } from '../../contract/acts/act-names.ts';
import { errorOf } from '../../core/base/errors.ts';
import type { HoldRow } from '../../store/store.ts';
import type { Deciding } from '../holds/decide.ts';
import type { WithConfig } from '../api-parts.ts';

/** What the acts need of the api, all together. */
export type Acting = Deciding & WithConfig;

export interface Given<B> {
  hold: HoldRow;
  principal: Principal;
  body: B;
}

export type Run<B> = (api: Acting, given: Given<B>) => Promise<HoldRow>;

/** The texts of an act's route. */
export function wordsOf(act: Exclude<ActName, 'reapply'>): { summary: string; description: string } {
  const { summary, ...more } = acts[act].one;
  const description = `For ${whoWords(act)}.${'description' in more ? ` ${more.description}` : ''}`;
  return { summary, description };
}

/** Throws what the act is refused with by who asks for it. */
export function refuseAct(act: ActName, hold: HoldRow, principal: Principal): void {
  const refusal = whyNotAct(act, asActedOn(hold, principal), principal, hold.owner);
  if (refusal !== null) throw errorOf(refusal);
}
