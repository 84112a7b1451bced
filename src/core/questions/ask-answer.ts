// The answer to a program's question, from the row of its hold: for whichever way brings it, HTTP, MCP or Nexus.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { HoldId, RunId } from '../../contract/base/id-types.ts';
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

interface AskedOne {
  id: string;
  /** Which question under its id it is, from 1: one that replaced another has the next. */
  version: number;
  expiresAt: string | null;
}

export type AskAnswer =
  | (AskedOne & { status: 'waiting'; holdId: HoldId | null; link: string | null })
  | (AskedOne & {
      status: 'answered' | 'declined';
      holdId: HoldId;
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
    })
  | (AskedOne & {
      status: 'expired' | 'withdrawn' | 'cancelled';
      /** Null: another was asked in its place before it was opened. */
      holdId: HoldId | null;
      /** Set where another was asked in its place, or its row has an answer that is not proved: it is none. */
      why?: string;
    });

/** The run of the first question under an id, and of those that replaced it. */
export const askRunId = (id: string, version = 1): RunId => (version === 1 ? `ask-${id}` : `ask~${version}`);

const replacing = /^ask~([1-9]\d*)$/u;

/** Which question under its id a run asks. */
export const versionOfRun = (runId: string): number => Number(replacing.exec(runId)?.[1] ?? 1);

/** To who asked a question in whose place another was asked: the answer to that one is none to it. */
export const replacedAnswer = (id: string, version: number): AskAnswer => ({
  status: 'withdrawn',
  id,
  version,
  holdId: null,
  expiresAt: null,
  why: 'another question was asked in its place, under the same id',
});

/** What a receipt of this row is made from. */
export function receiptOfAsk(row: ReceiptOf['hold'] & Hold, issuer: string): ReceiptOf {
  const closed = { ...row, status: row.status === 'open' ? ('decided' as const) : row.status };
  return { issuer, agent: askerOf(row), a2aTaskId: null, hold: row, closed, from: 'row' };
}

type ClosedRow = Hold & Parameters<typeof whyNotActedOn>[1] & { openedInRun: string };

/** Of a question that is not open any more. */
export function closedAnswer(checks: ProofChecks, row: ClosedRow, id: string, receipt: string | null): AskAnswer {
  const { holdId, decision, expiresAt } = row;
  const one = { id, version: versionOfRun(row.openedInRun), holdId, expiresAt };
  const why = whyNotActedOn(checks, row, row, { from: 'row' });
  if (why !== null) return { ...one, status: 'withdrawn', why: `its answer was not taken: ${why}; ask an operator` };
  const status = askStatusOf(row);
  const isAnswered = status === 'answered' || status === 'declined';
  if (decision === null || !isAnswered) return { ...one, status: isAnswered ? 'withdrawn' : status };
  const { values, by, reason, source } = decision;
  const toolArgs = row.question.tool?.args ?? null;
  const verdict = verdictOf(row.question, decision);
  const given = { ...one, status, values, verdict, toolArgs, by, reason, assumed: source === 'clock' };
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
  const { id, version, status, holdId, expiresAt } = answer;
  const link = holdId === null ? null : holdUrl(publicUrl, holdId);
  const none = { values: null, verdict: null, approved: null, args: null, by: null, reason: null, assumed: false };
  if (answer.status !== 'answered' && answer.status !== 'declined')
    return { id, version, status, holdId, link, expiresAt, ...none, reason: whyOf(answer) };
  const { values, verdict, by, assumed, toolArgs, receipt } = answer;
  const { approved, args, reason } = approvalOf(answer);
  const ofTool = toolArgs === null ? { approved: null, args: null } : { approved, args };
  return {
    id,
    version,
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
