// Names with the MAC of what they are for: who learns one, or can write where it is kept, can use it for nothing else.
import type { JsonObject } from '../../contract/base/json.ts';
import { canonicalJson } from '../../core/base/json.ts';
import type { Prover } from './proofs.ts';

/** What a name is for, with a `for` that nothing else has. */
export type Purpose = JsonObject & { for: string };

const textOf = (name: string, purpose: Purpose): string => canonicalJson({ ...purpose, name });

export const boundName = (prover: Pick<Prover, 'macOf'>, name: string, purpose: Purpose): string =>
  `${name}.${prover.macOf(textOf(name, purpose))}`;

/** The name that was bound to this purpose; null: it is none. */
export function nameIn(prover: Pick<Prover, 'isMacOf'>, bound: string, purpose: Purpose): string | null {
  const end = bound.lastIndexOf('.');
  const name = bound.slice(0, Math.max(end, 0));
  return end > 0 && prover.isMacOf(textOf(name, purpose), bound.slice(end + 1)) ? name : null;
}
