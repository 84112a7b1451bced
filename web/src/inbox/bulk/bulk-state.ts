// What a bulk review knows of each question, and what it sends; pure.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { BulkReply } from '../../../../src/contract/views/inbox.ts';
import { confirmed, mayApprove, rejected, toolApproved, yesField } from '../../hold/answer/answers.ts';
import { oneLine } from '../../base/text/visible.ts';
import { humanise } from '../../hold/values/humanise.ts';
import { fieldWords } from '../../hold/values/plain-words.ts';
import { formatValue } from '../../hold/values/value-diff.ts';
import { strings } from '../../i18n/strings.ts';

export interface BulkEntry {
  hold: HoldView | null;
  /** Its text was on screen. */
  isRead: boolean;
  /** It changed or ended since; what was read is not what would be decided. */
  hasChanged: boolean;
  failed: boolean;
}

/** What a row shows of where it is: one word at a time. */
export interface RowState {
  text: string;
  tone: 'ok' | 'danger' | 'warn' | '';
}

/** From when it was sent on what became of it counts, and nothing that was so before. */
export function rowState(
  entry: BulkEntry | null,
  { result, isSent, isCut = false }: { result: RowState | null; isSent: boolean; isCut?: boolean },
): RowState | null {
  const words = strings.bulk;
  if (result !== null) return result;
  if (isSent) return { text: words.sending, tone: '' };
  if (entry?.failed === true) return { text: words.unreadable, tone: 'danger' };
  if (entry?.hasChanged === true) return { text: words.changed, tone: 'warn' };
  return entry?.isRead === true ? null : { text: isCut ? words.unreadCut : words.unread1, tone: '' };
}

/** Only when each was opened, is as it was read, and a plain yes answers it. */
export function mayDecideTogether(ids: readonly string[], entries: ReadonlyMap<string, BulkEntry>): boolean {
  return (
    ids.length > 0 &&
    ids.every((id) => {
      const entry = entries.get(id);
      return entry?.hold != null && entry.isRead && !entry.hasChanged && isPlainYesNo(entry.hold);
    })
  );
}

/** A yes alone answers it: nothing else is required. */
export function isPlainYesNo(hold: HoldView): boolean {
  const field = yesField(hold);
  const { required } = hold.schema;
  return field !== null && mayApprove(hold) && (!Array.isArray(required) || required.every((name) => name === field));
}

type BulkDecision = DecisionBody & { id: string; digest: string; planDigest: string };

/** Body of `POST /api/holds/decisions`. */
export interface BulkBody {
  decisions: BulkDecision[];
}

/** The same bodies that the question's own page would send, each with the digest of what was shown. */
export function bulkBody(holds: readonly HoldView[], what: 'approve' | 'reject', reason: string): BulkBody {
  return {
    decisions: holds.flatMap((hold): BulkDecision[] => {
      const yes = hold.kind === 'tool_call' ? toolApproved(hold, null) : confirmed(hold);
      const body = what === 'approve' ? yes : rejected(hold, reason);
      return body === null ? [] : [{ ...body, id: hold.id, digest: hold.digest, planDigest: hold.planDigest }];
    }),
  };
}

/** No answer, or a fault of the server's: some of it may have been recorded. */
export const mayHaveArrived = (status: number): boolean => status === 0 || status >= 500;

/** As many as are sent at once: each has its result by the time the next ones go. */
const sentAtOnce = 10;

export interface BulkPart {
  body: BulkBody;
  /** The same whenever it is sent again. */
  key: string;
}

export const partsOf = ({ decisions }: BulkBody, keyOf: () => string): BulkPart[] =>
  Array.from({ length: Math.ceil(decisions.length / sentAtOnce) }, (_, n) => ({
    body: { decisions: decisions.slice(n * sentAtOnce, (n + 1) * sentAtOnce) },
    key: keyOf(),
  }));

/** Why nothing was recorded, or that it is unknown. */
export function failureWords(error: { code: string; status: number; requestId: string | null }): string {
  const words = strings.errors;
  if (mayHaveArrived(error.status)) return strings.bulk.notConfirmed;
  if (error.code === 'not_authenticated') return words.not_authenticated;
  if (error.status === 429) return strings.bulk.busy;
  if (error.code === 'forbidden') return words.forbidden;
  if (error.code === 'too_large') return words.too_large_unknown;
  return words.input_invalid(error.requestId ?? words.noReference);
}

/** What became of one question, by the code it was refused with; null: the code says nothing of it alone. */
export function refusedWords(code: string | null): string | null {
  if (code === 'digest_mismatch' || code === 'changed_meanwhile') return strings.errors.digest_mismatch;
  return code === 'hold_closed' || code === 'interrupt_expired' ? strings.bulk.gone : null;
}

export const resultState = (result: BulkReply['results'][number]): RowState => ({
  text: resultWords(result),
  tone: result.ok ? 'ok' : 'danger',
});

export function resultWords(result: BulkReply['results'][number]): string {
  const text = strings.bulk;
  if (result.ok) {
    if (result.status !== null && !hasEnded(result.status) && result.votes !== null)
      return text.counted(result.votes.have, result.votes.need);
    return result.status === 'cancelled' ? text.rejected : strings.bulk.recorded;
  }
  const refused = result.code === 'not_found' ? text.gone : refusedWords(result.code);
  if (refused !== null) return refused;
  if (result.code === 'not_allowed_to_decide') return strings.errors.not_allowed_to_decide('');
  return result.detail ?? text.notBulk;
}

const mostColumns = 8;
const mostChars = 200;

/** The arguments of calls that fit a table: one tool, plain short values, and no text of the agent's. Null: they do not. */
export function tableColumns(holds: readonly HoldView[]): string[] | null {
  const [first] = holds;
  if (first === undefined || first.tool === null) return null;
  const fits = holds.every(
    ({ tool, context }) =>
      tool?.name === first.tool?.name &&
      Object.values(context.toolArgs).every((value) => typeof value !== 'object' && String(value).length <= mostChars),
  );
  const names = [...new Set(holds.flatMap(({ context }) => Object.keys(context.toolArgs)))];
  const isSilent = holds.every(({ message }) => message === first.message);
  return fits && isSilent && names.length > 0 && names.length <= mostColumns ? names : null;
}

const mostLineChars = 400;

/** What there is to read of a question beyond its headline, as one line, and whether it is all of it. */
export function rowText(
  { title, hasOwnTitle, message, context }: Pick<HoldView, 'title' | 'hasOwnTitle' | 'message' | 'context'>,
  headline: string,
): { line: string; isAll: boolean } {
  const args = Object.entries(context.toolArgs);
  const lines = message.split('\n').map((one) => one.trim());
  const parts = [hasOwnTitle && !headline.startsWith(title.replace(/…$/u, '')) ? title : '', ...lines];
  for (const [name, value] of args)
    parts.push(`${humanise(name)} ${fieldWords(value, name, context.toolArgs) ?? formatValue(value)}`);
  const rest = parts.filter((part) => part !== '' && part !== headline).join(' · ');
  // Code is not what it was on one line.
  const isFlat = !/```|~~~/u.test(message) && args.every(([, value]) => typeof value !== 'object');
  return { line: oneLine(rest, mostLineChars), isAll: isFlat && rest.length < mostLineChars };
}

/** The same short text of all of them, about no call: it is read once. */
export const hasOneText = (holds: readonly HoldView[]): boolean =>
  holds[0]?.message !== '' &&
  holds.every(({ tool, message }) => tool === null && message === holds[0]?.message && message.length <= mostLineChars);

/** What a no does to each, in the words beneath its button. */
export function rejectMeans(holds: readonly HoldView[]): string {
  const refusable = holds.filter(({ onReject }) => onReject === 'answers').length;
  if (refusable === holds.length) return strings.bulk.rejectMeans;
  return refusable === 0 ? strings.bulk.rejectCancels : strings.bulk.rejectMixed;
}

/** What a yes does to each, and for how long it can be taken back. */
export function approveMeans(holds: readonly Pick<HoldView, 'graceMs'>[]): string {
  const { approveMeans: plain, final, graced, someGraced } = strings.bulk;
  const graces = holds.flatMap(({ graceMs }) => graceMs ?? []);
  if (graces.length === 0) return `${plain} ${final}`;
  return `${plain} ${graces.length < holds.length ? someGraced : graced(Math.round(Math.min(...graces) / 1_000))}`;
}
