import { receiptClaims, type ReceiptOf } from '../../core/consent/receipt.ts';
import { sha256Of } from './hash.ts';
import type { Prover } from './proofs.ts';
import type { Signer } from './signing.ts';

/** `typ` of the JWS, so that nothing else that the key signs passes for a receipt. */
export const receiptType = 'standfast-receipt+jwt';

const sha256 = (text: string): string => sha256Of(Buffer.from(text));

/** The receipt of a proved approval; null where there is none, or no key to sign it with. */
export function receiptOf({ signer, prover }: { signer: Signer | null; prover: Prover }, of: ReceiptOf): string | null {
  const claims = signer && receiptClaims(of, sha256, prover);
  return claims && signer.jwsOf(receiptType, claims);
}
