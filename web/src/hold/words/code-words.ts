// The words of codes (docs/errors.md), by their name alone; pure.
import { ownEntry } from '../../../../src/core/base/own-entry.ts';
import { strings } from '../../i18n/strings.ts';

const errors: Readonly<Record<string, unknown>> = strings.errors;

/** The words of a code; null: they name a fact, or there are none. */
export function codeWords(code: string): string | null {
  const words = ownEntry(errors, code);
  return typeof words === 'string' ? words : null;
}

/** Refusals of an answer whose words name a fact. */
const factCodes = [
  'hold_closed',
  'interrupt_expired',
  'payload_invalid',
  'not_allowed_to_decide',
  'input_invalid',
  'too_large',
] as const;
export type FactCode = (typeof factCodes)[number];

export const isFactCode = (code: string): code is FactCode => factCodes.some((one) => one === code);
