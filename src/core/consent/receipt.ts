// What a receipt says: an approval that can be checked elsewhere, without Standfast and without its database.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import type { ClosedHold, Hold } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Decision, DecisionProof, Vote } from '../../contract/holds/decision.ts';
import { canonicalJson } from '../base/json.ts';
import { filled, type Stages } from '../policy/stages.ts';
import { whyUngranted } from './grants.ts';
import { agreementKey, isEnough } from './agreement.ts';
import { whyUnproved, whyUnsent, type Proved, type ProofChecks } from './proof.ts';
import { holdDigest, type AskedQuestion } from './question-digest.ts';
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
  /** `a2a:` and the name of an agent, or `program:` and the user of a program that asked. */
  agent: `a2a:${string}` | `program:${string}`;
  /** `agent`: an agent decided, where its policy asks one; `grant`: no one was asked, as `by` had granted such calls. */
  kind: DecisionProof['kind'] | 'grant';
  /** The agent's A2A task; null for a program's question. */
  task: string | null;
  tool: { name: string; callId: string | null; argsHash: string } | null;
  answerHash: string;
  by: Decider[];
  quorum: number;
  /** Where several groups had to agree: who of each. */
  stages?: { name: string; quorum: number; by: string[] }[];
  /** Id of the grant that the call was within. */
  grant?: string;
  policy: { name: string; version: string };
  digest: string;
  iat: number;
  exp: number;
  jti: string;
}

/** The row of a question that has ended; what it lacks to be recomputed gives no receipt. */
export interface ReceiptOf {
  issuer: string;
  agent: ReceiptClaims['agent'];
  a2aTaskId: A2aTaskId | null;
  hold: Pick<Hold, 'holdId' | 'question' | 'plan' | 'digest'> & {
    agent: string;
    owner: string;
    artifacts: AskedQuestion['artifacts'] | null;
    attachments: AskedQuestion['attachments'];
    takenBack?: string[];
  };
  closed: Pick<ClosedHold, 'status' | 'decision' | 'votes' | 'ended'>;
  /** Who has `closed`: a row has to prove that it was sent. */
  from: 'workflow' | 'row';
}

/**
 * The claims of a receipt; null without a proved approval, or where the policy gives none. The same for the same decision,
 * whichever process makes it and however often: single use is counted by `jti`.
 */
export function receiptClaims(
  { issuer, agent, a2aTaskId, hold, closed, from }: ReceiptOf,
  sha256: Sha256,
  checks: ProofChecks,
): ReceiptClaims | null {
  const { question, plan, digest, holdId } = hold;
  const { decision } = closed;
  const isApproval = closed.status === 'decided' && decision !== null && question.kind !== 'operator';
  if (plan.receipt === undefined || !isApproval || verdictOf(question, decision) !== 'yes') return null;
  if (from === 'row' && whyUnsent(checks, { holdId, ...closed }) !== null) return null;
  if (decision.source === 'grant') return grantClaims({ issuer, agent, a2aTaskId, hold, decision }, sha256, checks);
  const given = provedOf(checks, hold, { ...closed, decision });
  const last = given?.at(-1);
  if (given === null || last === undefined) return null;
  const givenAtMs = sentAtMs(last.proof.at, closed.ended?.at ?? decision.at, plan.graceMs ?? 0);
  return {
    iss: issuer,
    sub: holdId,
    agent,
    kind: given.some(({ proof }) => proof.kind === 'agent') ? 'agent' : 'people',
    task: a2aTaskId,
    tool: toolOf(question, decision.values, sha256),
    answerHash: sha256(canonicalJson(withoutMembers(decision.values, question.secrets))),
    by: given.map(({ by, as = [], proof }) => ({ id: by, as, at: proof.at })),
    quorum: plan.quorum,
    ...(plan.stages === undefined ? {} : { stages: stagesIn(plan.stages, given) }),
    policy: { name: plan.policy, version: plan.receipt.version },
    digest,
    iat: Math.floor(givenAtMs / 1000),
    exp: Math.floor((givenAtMs + plan.receipt.forMs) / 1000),
    jti: jtiOf(sha256, holdId),
  };
}

type Granted = Pick<ReceiptOf, 'issuer' | 'agent' | 'a2aTaskId' | 'hold'> & { decision: Decision };

/** Of a call within a grant that is proved. */
function grantClaims(
  { issuer, agent, a2aTaskId, hold, decision }: Granted,
  sha256: Sha256,
  checks: ProofChecks,
): ReceiptClaims | null {
  const { holdId, question, plan, digest } = hold;
  const { granted } = decision;
  if (granted === undefined || plan.receipt === undefined || whyUngranted(checks, hold, decision) !== null) return null;
  if (holdDigest(checks.fingerprintOf, askedOf(hold)) !== digest) return null;
  const atMs = Date.parse(decision.at);
  return {
    iss: issuer,
    sub: holdId,
    agent,
    kind: 'grant',
    task: a2aTaskId,
    tool: toolOf(question, decision.values, sha256),
    answerHash: sha256(canonicalJson(decision.values)),
    by: granted.given.map(({ by, as, at }) => ({ id: by, as, at })),
    quorum: granted.terms.need,
    grant: granted.id,
    policy: { name: plan.policy, version: plan.receipt.version },
    digest,
    iat: Math.floor(atMs / 1000),
    exp: Math.floor((atMs + plan.receipt.forMs) / 1000),
    jti: jtiOf(sha256, holdId),
  };
}

/** A question is decided once, and so is its receipt used once, whatever becomes of its row. */
const jtiOf = (sha256: Sha256, holdId: string): string => sha256(holdId).slice('sha256:'.length, 'sha256:'.length + 32);

/** All who agreed, the last one last, where each is proved and agrees, and the question is the one of its digest; else null. */
function provedOf(
  checks: ProofChecks,
  hold: ReceiptOf['hold'],
  { decision, votes }: { decision: Decision; votes: ClosedHold['votes'] },
): Proved[] | null {
  if (holdDigest(checks.fingerprintOf, askedOf(hold)) !== hold.digest) return null;
  const given = [decision, ...votes].filter((one): one is Proved => whyUnproved(checks, hold, one) === null);
  if (given.length !== votes.length + 1 || !areEnough(hold, { decision, votes })) return null;
  const agreed = votes.length === 0 ? given : given.slice(1);
  // The same for the same votes, in whichever order a row has them.
  const inOrder = (one: Proved): string => `${one.proof.at} ${one.by}`;
  return agreed.toSorted((a, b) => (inOrder(a) < inOrder(b) ? -1 : 1));
}

/** Whether all who agreed say what was decided, and are as many as its policy wants. */
export function areEnough(
  { question, plan }: Pick<Hold, 'question' | 'plan'>,
  { decision, votes }: { decision: Decision; votes: ClosedHold['votes'] },
): boolean {
  const agreed = (votes.length === 0 ? [decision] : votes).map(withFingerprint);
  const key = agreementKey(question, withFingerprint(decision));
  const isOne =
    agreed.every((one) => agreementKey(question, one) === key) && agreed.some(({ by }) => by === decision.by);
  const people = new Set(agreed.map(({ by }) => by)).size;
  const areOnce = plan.stages?.sameAgain === true || people === agreed.length;
  return isOne && areOnce && people >= plan.quorum && isEnough(plan, agreed);
}

const withFingerprint = <T extends Decision | Vote>(one: T): T & { fingerprint: string } => ({
  ...one,
  fingerprint: one.proof?.answer ?? '',
});

/** Who of each stage agreed, each once where one person counts once. */
const stagesIn = (stages: Stages, given: readonly Proved[]): NonNullable<ReceiptClaims['stages']> =>
  filled(stages, given).map((own, at) => ({
    name: stages.list[at]?.name ?? '',
    quorum: stages.list[at]?.quorum ?? 0,
    by: [...new Set(own.map(({ by }) => by))].toSorted(),
  }));

/** The question of a row, as its digest covers it. */
export const askedOf = ({
  owner,
  artifacts,
  ...hold
}: Omit<AskedQuestion, 'requester' | 'artifacts'> & {
  owner: string;
  artifacts: AskedQuestion['artifacts'] | null;
}): AskedQuestion => ({ ...hold, requester: owner, artifacts: artifacts ?? [] });

/** The workflow takes an answer within the minute that the api waits for it. */
const takenWithinMs = 60_000;

/** When the decision was sent: as the row says, but never outside of what its proof allows. */
function sentAtMs(provedAt: string, sentAt: string, graceMs: number): number {
  const [first, given] = [Date.parse(provedAt), Date.parse(sentAt)];
  const isKnown = given > first;
  return isKnown ? Math.min(given, first + graceMs + takenWithinMs) : first;
}

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
