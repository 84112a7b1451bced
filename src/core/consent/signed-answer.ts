// What a passkey signs: the person, the question as shown, and the answer. docs/verify-evidence.mjs makes the same text.
import type { SignedAnswer } from '../../contract/holds/passkey.ts';
import { canonicalJson } from '../base/json.ts';

/** The text whose SHA-256 is the challenge. */
export function challengeText({ hold, by, digest, answer, agrees, nonce, at }: SignedAnswer): string {
  return canonicalJson({ for: 'standfast decision', hold, by, digest, answer, agrees, nonce, at });
}

/** The same, where a passkey of the person agrees that one of theirs is removed. */
export const removalText = (by: string, passkey: string, nonce: string, at: string): string =>
  canonicalJson({ for: 'standfast passkey removal', by, passkey, nonce, at });

/** The same, where the person's passkey vouches for a new one of theirs. */
export const vouchingText = (by: string, nonce: string, at: string): string =>
  canonicalJson({ for: 'standfast passkey', by, nonce, at });
