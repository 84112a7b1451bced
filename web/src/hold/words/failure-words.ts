// What a person reads when something was refused or is not confirmed yet, by its code (docs/errors.md); pure.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { shortName } from '../../base/account/names.ts';
import { ApiError } from '../../base/live/api-error.ts';
import { strings } from '../../i18n/strings.ts';
import { durationWords } from '../../base/time/time-words.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import { labelOf } from '../values/humanise.ts';
import { isYesNo } from './ends.ts';
import { deciderWords } from './people.ts';
import type { Refusal } from '../decide/sending.ts';

const words = strings.errors;

/** While the same request is made again by itself. */
export function describeWaiting(code: string | null, leftMs: number): string {
  const wait = durationWords(leftMs);
  switch (code) {
    case null:
      return words.network(wait);
    case 'worker_unavailable':
    case 'engine_unavailable':
    case 'store_unavailable':
      return words.engine(wait);
    case 'busy':
    case 'rate_limited':
      return words.busy(wait);
    case 'not_authenticated':
      return words.not_authenticated;
    default:
      return words.decision_not_confirmed(wait);
  }
}

/** What the server takes of one answer. */
export const answerKib = 256;

/** A refusal of `values`, with the facts it names. `clock` says a time in the reader's words. */
export function failureWords(
  refusal: Pick<Refusal, 'code' | 'errors' | 'data' | 'requestId'>,
  hold: Pick<HoldView, 'audience' | 'exclude' | 'requester' | 'expires' | 'ended' | 'kind' | 'schema'>,
  clock: (iso: string) => string,
  values: Dict = {},
): string {
  const refused = dictOf(refusal.data['ended']);
  const ended = typeof refused['at'] === 'string' ? refused : hold.ended;
  const at = typeof ended?.['at'] === 'string' ? clock(ended['at']) : null;
  switch (refusal.code) {
    case 'hold_closed':
      return closedWords(String(ended?.['why'] ?? ''), String(ended?.['by'] ?? ''), at, hold.kind);
    case 'already_voted':
    case 'passkey_required':
    case 'passkey_invalid':
    case 'passkey_stopped':
      return words[refusal.code];
    case 'interrupt_expired':
      return at === null
        ? words.interrupt_expired_unknown
        : words.interrupt_expired(at, strings.hold.didThen[hold.expires.then]);
    case 'digest_mismatch':
      return words.digest_mismatch;
    case 'hold_damaged':
      return words.hold_damaged;
    case 'digest_required':
      return words.digest_required;
    case 'payload_invalid':
      return words.payload_invalid(Math.max(1, refusal.errors.length));
    case 'not_allowed_to_decide':
      return words.not_allowed_to_decide(deciderWords(hold));
    case 'forbidden':
      return words.forbidden;
    case 'not_authenticated':
      return words.not_authenticated;
    case 'not_found':
      return words.not_found;
    case 'input_invalid':
      return words.input_invalid(refusal.requestId ?? words.noReference);
    case 'too_large':
      return tooLongWords(values, hold.schema);
    default:
      return words.unknown(refusal.requestId ?? words.noReference);
  }
}

/** Why a request about this question failed, whatever was thrown. */
export function whyOf(error: unknown, hold: Parameters<typeof failureWords>[1]): string {
  if (!(error instanceof ApiError)) return words.unknownRead(words.noReference);
  return error.status === 0 ? strings.app.failed : failureWords(error, hold, (iso) => iso);
}

/** By the longest of its fields: that is the one to shorten. */
function tooLongWords(values: Dict, schema: Dict): string {
  const sizes = Object.entries(values).map(([name, value]) => ({ name, bytes: bytesOf(value) }));
  const [longest] = sizes.toSorted((a, b) => b.bytes - a.bytes);
  const kib = Math.ceil(bytesOf(values) / 1024);
  if (longest === undefined || kib <= answerKib) return words.too_large_unknown;
  return words.too_large(
    words.kib(kib),
    words.kib(answerKib),
    labelOf(longest.name, dictOf(schema['properties'])[longest.name]),
  );
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

function closedWords(why: string, by: string, at: string | null, kind: HoldView['kind']): string {
  if (at === null) return words.hold_closed_unknown;
  switch (why) {
    case 'expired':
      return words.hold_closed_expired(at);
    case 'withdrawn':
      return words.hold_closed_withdrawn;
    case 'superseded':
      return words.hold_closed_superseded;
    case 'cancelled':
      return words.hold_closed_cancelled;
    case 'declined':
      return words.hold_closed(shortName(by), isYesNo(kind) ? 'rejected' : 'declined', at);
    default:
      return words.hold_closed(shortName(by), isYesNo(kind) ? 'approved' : 'answered', at);
  }
}
