// The reference that replaces a secret wherever an answer is stored or passed on.
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Json } from '../../contract/base/json.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { refuse } from '../base/errors.ts';

/** The only key of a reference. */
export const sealedKey = '$sealed';

/** The id of a reference, or null for any other value. */
export function sealIdOf(value: Json | undefined): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const id = value[sealedKey];
  return typeof id === 'string' && Object.keys(value).length === 1 ? id : null;
}

/** Only the api seals: a secret from another source is in clear, and is refused. Null: there is none. */
export function refuseClearSecrets(secrets: readonly string[], { status, values }: AnswerEntry): Refusal | null {
  if (status !== 'resolved') return null;
  const clear = secrets.filter((name) => values[name] !== undefined && sealIdOf(values[name]) === null);
  if (clear.length === 0) return null;
  return refuse(
    'payload_invalid',
    `${clear.join(', ')}: a secret is not taken this way; answer on the page, by REST or by a run, and change what was sent`,
    { errors: clear.map((name) => ({ path: `/${name}`, message: 'a secret is not taken this way' })) },
  );
}
