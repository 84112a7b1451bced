// What a person reads when something was refused or is not confirmed yet, by its code (docs/errors.md); pure.
import type { AnswerName, EndName, HoldEnd, HoldView } from '../../../../src/contract/holds/hold.ts';
import { endNameOf } from '../../../../src/core/answers/end-name.ts';
import { shortName } from '../../base/account/names.ts';
import { ApiError } from '../../base/live/api-error.ts';
import { strings } from '../../i18n/strings.ts';
import { durationWords } from '../../base/time/time-words.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import { labelOf } from '../values/humanise.ts';
import { codeWords, type FactCode, isFactCode } from '../words/code-words.ts';
import { deciderWords } from '../words/people.ts';
import type { Refusal } from '../pane/sending.ts';

const words = strings.errors;

/** While the page makes the same request again. */
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

interface Refused {
  refusal: Pick<Refusal, 'code' | 'errors' | 'data' | 'requestId'>;
  hold: Pick<HoldView, 'audience' | 'exclude' | 'requester' | 'expires' | 'ended' | 'kind' | 'schema' | 'decides'>;
  /** What was sent. */
  values: Dict;
  /** How the question had ended, and when in the reader's words. */
  end: { why: string; by: string; at: string } | null;
}

const byCode: Record<FactCode, (refused: Refused) => string> = {
  hold_closed: ({ end, hold }) => (end === null ? words.hold_closed_unknown : closedWords(end, hold)),
  interrupt_expired: ({ end, hold }) =>
    end === null
      ? words.interrupt_expired_unknown
      : words.interrupt_expired(end.at, strings.expiry.did[hold.expires.then]),
  payload_invalid: ({ refusal }) => words.payload_invalid(Math.max(1, refusal.errors.length)),
  not_allowed_to_decide: ({ hold }) => words.not_allowed_to_decide(deciderWords(hold)),
  input_invalid: ({ refusal }) => words.input_invalid(refusal.requestId ?? words.noReference),
  too_large: ({ values, hold }) => tooLongWords(values, hold.schema),
};

/** A refusal of `values`, with the facts it names. `clock` says a time in the reader's words. */
export function failureWords(
  refusal: Refused['refusal'],
  hold: Refused['hold'],
  clock: (iso: string) => string,
  values: Dict = {},
): string {
  const { code, requestId } = refusal;
  if (isFactCode(code)) return byCode[code]({ refusal, hold, values, end: endOf(refusal, hold, clock) });
  return codeWords(code) ?? words.unknown(requestId ?? words.noReference);
}

/** By the refusal, or as the page knows it. */
function endOf(
  { data }: Refused['refusal'],
  hold: Pick<HoldView, 'ended'>,
  clock: (iso: string) => string,
): Refused['end'] {
  const refused = dictOf(data['ended']);
  if (typeof refused['at'] === 'string')
    return { why: String(refused['why'] ?? ''), by: String(refused['by'] ?? ''), at: clock(refused['at']) };
  return hold.ended === null ? null : { ...hold.ended, at: clock(hold.ended.at) };
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

type End = NonNullable<Refused['end']>;

const answered =
  (name: AnswerName) =>
  ({ by, at }: End): string =>
    words.hold_closed(shortName(by), strings.grace.done[name].toLowerCase(), at);

const closedBy: Record<EndName, (end: End) => string> = {
  approved: answered('approved'),
  rejected: answered('rejected'),
  answered: answered('answered'),
  declined: answered('declined'),
  expired: ({ at }) => words.hold_closed_expired(at),
  withdrawn: () => words.hold_closed_withdrawn,
  endedWith: () => words.hold_closed_with,
  superseded: () => words.hold_closed_superseded,
  cancelled: () => words.hold_closed_cancelled,
};

function closedWords(end: End, { kind, decides }: Refused['hold']): string {
  // Safe: an end that this page does not know has no words below.
  const ended = { why: end.why as HoldEnd['why'], by: end.by };
  const facts = { kind, decides, ended, status: 'cancelled' as const, verdict: null, supersededBy: null };
  const name = endNameOf(facts);
  return name !== null && Object.hasOwn(closedBy, name) ? closedBy[name](end) : words.hold_closed_unknown;
}
