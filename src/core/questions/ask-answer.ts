// The answer to a program's question, from the row of its hold: for whichever way brings it, HTTP, MCP or Nexus.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { HoldId } from '../../contract/base/id-types.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Hold, Verdict } from '../../contract/holds/hold.ts';
import type { AskReply } from '../../contract/views/ask.ts';
import { objectOf } from '../base/json.ts';
import { holdUrl } from '../base/page-url.ts';
import { whyNotActedOn } from '../consent/acted-on.ts';
import type { ProofChecks } from '../consent/proof.ts';
import type { ReceiptOf } from '../consent/receipt.ts';
import { reasonOf, verdictOf } from '../consent/verdict.ts';
import { askerOf } from '../base/asker.ts';
import { askStatusOf } from './ask.ts';

export type AskAnswer =
  | { status: 'waiting'; id: string; holdId: HoldId | null; link: string | null; expiresAt: string | null }
  | {
      status: 'answered' | 'declined';
      id: string;
      holdId: HoldId;
      expiresAt: string | null;
      values: JsonObject;
      verdict: Verdict;
      /** Arguments of the tool call that was asked about, as they were shown. */
      toolArgs: JsonObject | null;
      by: string;
      reason: string | null;
      /** The policy took the proposed answer, as no one gave one in time. */
      assumed: boolean;
      /** Signed proof of the approval; missing where the policy gives none. */
      receipt?: string;
    }
  | {
      status: 'expired' | 'withdrawn' | 'cancelled';
      id: string;
      holdId: HoldId;
      expiresAt: string | null;
      /** Set where its row has an answer that is not proved: it is none. */
      why?: string;
    };

/** What a receipt of this row is made from. */
export function receiptOfAsk(row: ReceiptOf['hold'] & Hold, issuer: string): ReceiptOf {
  const closed = { ...row, status: row.status === 'open' ? ('decided' as const) : row.status };
  return { issuer, agent: askerOf(row), a2aTaskId: null, hold: row, closed, from: 'row' };
}

type ClosedRow = Hold & Parameters<typeof whyNotActedOn>[1];

/** Of a question that is not open any more. */
export function closedAnswer(checks: ProofChecks, row: ClosedRow, id: string, receipt: string | null): AskAnswer {
  const { holdId, decision, expiresAt } = row;
  const why = whyNotActedOn(checks, row, row, { from: 'row' });
  if (why !== null)
    return { status: 'withdrawn', id, holdId, expiresAt, why: `its answer was not taken: ${why}; ask an operator` };
  const status = askStatusOf(row);
  if (decision === null || (status !== 'answered' && status !== 'declined'))
    return { status: status === 'answered' || status === 'declined' ? 'withdrawn' : status, id, holdId, expiresAt };
  const { values, by, reason, source } = decision;
  const toolArgs = row.question.tool?.args ?? null;
  const verdict = verdictOf(row.question, decision);
  const given = { status, id, holdId, expiresAt, values, verdict, toolArgs, by, reason, assumed: source === 'clock' };
  return receipt === null ? given : { ...given, receipt };
}

const whyOf = (answer: AskAnswer): string | null => ('why' in answer ? (answer.why ?? null) : null);

export interface Approval {
  approved: boolean;
  /** Arguments to call with; null without an approval. */
  args: JsonObject | null;
  reason: string | null;
}

/** Only a plain yes is one; silence, refusal and expiry are not. */
export function approvalOf(answer: AskAnswer): Approval {
  if (answer.status !== 'answered' && answer.status !== 'declined')
    return { approved: false, args: null, reason: whyOf(answer) };
  const { values, toolArgs, verdict } = answer;
  const approved = verdict === 'yes';
  const args = approved ? objectOf(values[editedArgsField] ?? toolArgs) : null;
  return { approved, args, reason: reasonOf(answer) };
}

export function askReplyOf({ publicUrl }: { publicUrl: string }, answer: AskAnswer): AskReply {
  const { id, status, holdId, expiresAt } = answer;
  const link = holdId === null ? null : holdUrl(publicUrl, holdId);
  const none = { values: null, verdict: null, approved: null, args: null, by: null, reason: null, assumed: false };
  if (answer.status !== 'answered' && answer.status !== 'declined')
    return { id, status, holdId, link, expiresAt, ...none, reason: whyOf(answer) };
  const { values, verdict, by, assumed, toolArgs, receipt } = answer;
  const { approved, args, reason } = approvalOf(answer);
  const ofTool = toolArgs === null ? { approved: null, args: null } : { approved, args };
  return {
    id,
    status,
    holdId,
    link,
    expiresAt,
    values,
    verdict,
    ...ofTool,
    by,
    reason: toolArgs === null ? answer.reason : reason,
    assumed,
    ...(receipt === undefined ? {} : { receipt }),
  };
}
