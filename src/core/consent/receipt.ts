// What a receipt says: an approval that can be checked elsewhere, without Holdpoint and without its database.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import type { ClosedHold, Hold } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { HowAnswered } from '../../contract/holds/decision.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { canonicalJson } from '../base/json.ts';
import { entriesOf } from '../policy/audience.ts';
import { argsEdited } from './judged.ts';
import { argsDigestOf } from './whole.ts';
import { verdictOf } from './verdict.ts';

/** SHA-256 over a text, as `sha256:…`. */
type Sha256 = (text: string) => string;

interface Decider {
  id: string;
  /** Entries of the audience by which they were asked: `role:finance`. */
  as: string[];
  at: string;
}

/** The payload of the JWS; docs/receipts.md describes each member. */
export interface ReceiptClaims {
  iss: string;
  /** Hold id. */
  sub: string;
  /** Name of the agent, or of the program that asked. */
  agent: string;
  /** The agent's A2A task; null for a program's question. */
  task: string | null;
  tool: { name: string; callId: string | null; argsHash: string } | null;
  answerHash: string;
  by: Decider[];
  quorum: number;
  policy: { name: string; version: string };
  digest: string;
  iat: number;
  exp: number;
  jti: string;
}

export interface ReceiptOf {
  issuer: string;
  agent: string;
  a2aTaskId: A2aTaskId | null;
  hold: Pick<Hold, 'holdId' | 'question' | 'plan' | 'digest'>;
  closed: Pick<ClosedHold, 'status' | 'decision' | 'votes' | 'ended'>;
}

/** The entries of the audience by which a principal is asked, as a decision keeps them. */
export function askedAs(audience: readonly string[], principal: Principal): string[] {
  const own = new Set(entriesOf(principal));
  const entries = audience.filter((entry) => own.has(entry));
  return entries.length === 0 && audience.includes('owner') ? ['owner'] : entries;
}

/**
 * The claims of a receipt; null without an approval, or where the policy gives none. The same for the same decision,
 * whichever process makes it and however often: single use is counted by `jti`.
 */
export function receiptClaims(
  { issuer, agent, a2aTaskId, hold, closed }: ReceiptOf,
  sha256: Sha256,
): ReceiptClaims | null {
  const { question, plan, digest, holdId } = hold;
  const { decision } = closed;
  const isApproval =
    closed.status === 'decided' && decision !== null && decision.source !== 'clock' && question.kind !== 'operator';
  if (plan.receipt === undefined || !isApproval || verdictOf(question, decision) !== 'yes') return null;
  const givenAtMs = Date.parse(closed.ended?.at ?? decision.at);
  const given = closed.votes.length > 0 ? closed.votes : [decision];
  return {
    iss: issuer,
    sub: holdId,
    agent,
    task: a2aTaskId,
    tool: toolOf(question, decision.values, sha256),
    answerHash: sha256(canonicalJson(withoutMembers(decision.values, question.secrets))),
    by: given.map(({ by, at, ...record }) => ({ id: by, as: asOf(record), at })),
    quorum: plan.quorum,
    policy: { name: plan.policy, version: plan.receipt.version },
    digest,
    iat: Math.floor(givenAtMs / 1000),
    exp: Math.floor((givenAtMs + plan.receipt.forMs) / 1000),
    jti: sha256(`${holdId} ${decision.at}`).slice('sha256:'.length, 'sha256:'.length + 32),
  };
}

const asOf = ({ as = [] }: Partial<HowAnswered>): string[] => as;

/** The call as it was approved: people may have edited its arguments. */
function toolOf(question: Hold['question'], values: JsonObject, sha256: Sha256): ReceiptClaims['tool'] {
  const { tool } = question;
  if (tool === null) return null;
  const edited = argsEdited(question, values);
  const kept = edited === null ? argsDigestOf(question) : null;
  return { name: tool.name, callId: tool.callId, argsHash: kept ?? sha256(canonicalJson(edited ?? tool.args)) };
}

/** What is secret in an answer goes to its agent alone. */
const withoutMembers = (values: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
