// A question without an agent's task: kept as a run of the stand-in agent, opened by Temporal like any other, waited for by id.
import { isOpenAt } from '../../core/answers/time-up.ts';
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { HoldId, RunId, ThreadId } from '../../contract/base/id-types.ts';
import { RunIdSchema } from '../../contract/base/ids.ts';
import type { Verdict } from '../../contract/holds/hold.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { IntakePlan } from '../../contract/tasks/run.ts';
import { askAgent } from '../../core/base/ids.ts';
import { verdictOf } from '../../core/consent/verdict.ts';
import { askerOf, askStatusOf } from '../../core/questions/ask.ts';
import { errorOf, HoldpointError } from '../../core/base/errors.ts';
import { objectOf } from '../../core/base/json.ts';
import { holdUrl } from '../../core/base/page-url.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import { receiptOf } from '../../host/secrets/receipts.ts';
import type { HoldRow } from '../../store/store.ts';
import { checkJson } from '../../wire/agui/input/json-bounds.ts';
import { submitRun, type SubmitDeps } from '../runs/submit-run.ts';
import type { ApiContext } from '../api-context.ts';
import { followHold, rowsFollowMs } from '../engine/follow-rows.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { policyOfAsk } from './ask-policy.ts';

export interface AskedPeople {
  /** Names the question: the same id again waits for the same answer. */
  id: string;
  question: Question;
  policy: string | null;
  /** The title as it would be without one of its own; null: it cannot have one. */
  untitled: string | null;
}

export type AskAnswer =
  | { status: 'waiting'; id: string; holdId: HoldId | null; link: string | null }
  | {
      status: 'answered' | 'declined';
      id: string;
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
    }
  | { status: 'expired' | 'withdrawn' | 'cancelled'; id: string; holdId: HoldId };

export const askRunId = (id: string): string => `ask-${id}`;

/** Ids are a space of each caller's own: two programs that count from 1 ask two questions. */
export const askThreadId = ({ id: caller }: Pick<Principal, 'id'>, id: string): string =>
  `ask-${sha1Hex(new TextEncoder().encode(JSON.stringify([caller, id])))}`;

const keyOf = (principal: Pick<Principal, 'id'>, id: string): { agent: string; threadId: ThreadId; runId: RunId } => ({
  agent: askAgent,
  threadId: askThreadId(principal, id),
  runId: askRunId(id),
});

/** What asking, and reading the answer, needs of the api. */
export type AskingApi = SubmitDeps & Pick<ApiContext, 'now' | 'prover' | 'signer' | 'starts'>;

/**
 * Keeps the question and has it opened; the same id with another question is refused with `run_conflict`, a policy that
 * this caller may not name with `forbidden`.
 */
export async function askPeople(api: AskingApi, asked: AskedPeople, principal: Principal): Promise<void> {
  const { id, question, untitled } = asked;
  const policy = policyOfAsk(api.config, asked.policy, principal);
  refuseUnfitId(id);
  const key = keyOf(principal, id);
  const named = policy === null ? question : { ...question, reply: { ...question.reply, policy } };
  const run = { threadId: key.threadId, runId: key.runId };
  const body = bodyOfAsk(run, [named]);
  refuseUnfit(body, named);
  await api.starts.refuseWhenFull(async () => (await api.store.intake.get(key)) !== null);
  const { owner } = await api.store.threads.claim(key.agent, key.threadId, principal.id);
  // A question that is asked again may come without its title.
  const fingerprint = fingerprintOf(untitled === null ? named : { ...named, title: untitled });
  const stored = await api.store.intake.put({
    ...key,
    fingerprint,
    principal,
    receivedAt: api.now().toISOString(),
    body,
    messageIds: [],
    plan: { kind: 'ask', questions: [named], owner },
  });
  if (stored.fingerprint !== fingerprint || isOtherTitle(asked, stored.plan)) {
    throw new HoldpointError(
      'run_conflict',
      `the id ${id} was used for another question, or with other fields; to wait on for its answer give the id alone`,
    );
  }
  if (stored.admittedAt !== null) return;
  const admission = await submitRun(api, stored);
  // Kept is enough: the sweeper hands it over as soon as it can be taken.
  if (admission.result === 'refused') throw errorOf(admission.refusal);
}

/** Another title, not none, in addition to one that was given before. */
function isOtherTitle({ question, untitled }: AskedPeople, plan: IntakePlan): boolean {
  const before = (plan.kind === 'ask' ? plan.questions[0]?.title : undefined) ?? untitled;
  return untitled !== null && question.title !== untitled && before !== untitled && before !== question.title;
}

function refuseUnfitId(id: string): void {
  if (RunIdSchema.safeParse(askRunId(id)).success) return;
  throw new HoldpointError('input_invalid', 'id: expected 1 to 120 bytes of plain text without control characters');
}

/** Before it is kept: what could not be read again would never be asked. */
function refuseUnfit({ messages = [] }: JsonObject, question: Question): void {
  // Safe: a question is plain JSON.
  const checked = checkJson({ messages, ask: [question as unknown as JsonObject] });
  if (checked.ok) return;
  const { path, message } = checked.error;
  const at = path.replace(/^(ask|messages)\.\d+\./, '');
  throw new HoldpointError('input_invalid', `${at}: ${message}`);
}

/** Waits for the answer, at most so long; `waiting` is not a failure, the same id waits on. */
export async function answerOf(
  api: Pick<ApiContext, 'now' | 'prover' | 'publicUrl' | 'signer' | 'store'>,
  id: string,
  principal: Principal,
  wait: { timeoutMs: number; signal: AbortSignal },
): Promise<AskAnswer> {
  refuseUnfitId(id);
  const threadId = askThreadId(principal, id);
  const check = async (): Promise<HoldRow | null> =>
    (await api.store.holds.ofThread(askAgent, threadId)).at(-1) ?? null;
  if ((await api.store.intake.get(keyOf(principal, id))) === null && (await check()) === null) throw neverAsked(id);
  const ended = await untilEnded(api, threadId, check, wait);
  if (ended !== null) return closedAnswer(api, id, ended);
  const open = await check();
  const link = open === null || !isOpenAt(open, api.now().toISOString()) ? null : holdUrl(api.publicUrl, open.holdId);
  return { status: 'waiting', id, holdId: open?.holdId ?? null, link };
}

/** The page of a question that has just been asked; null where it has ended, or is not open yet. */
export async function pageOfAsk(
  api: Pick<ApiContext, 'now' | 'publicUrl' | 'store'>,
  id: string,
  principal: Principal,
  signal: AbortSignal,
): Promise<string | null> {
  const thread = { agent: askAgent, threadId: askThreadId(principal, id) };
  const check = async (): Promise<HoldRow | null> =>
    (await api.store.holds.ofThread(thread.agent, thread.threadId)).at(-1) ?? null;
  const hold = await api.store.waitFor({ thread }, check, { timeoutMs: rowsFollowMs, signal });
  return hold !== null && isOpenAt(hold, api.now().toISOString()) ? holdUrl(api.publicUrl, hold.holdId) : null;
}

const neverAsked = (id: string): HoldpointError =>
  new HoldpointError('not_found', `nothing was asked under the id ${id}; ask with the whole question`);

/** Its program needs no answer any more: people are not asked any longer. One that has ended stays as it is. */
export async function withdrawAsk(
  api: Pick<ApiContext, 'store' | 'tasks' | 'temporalUiUrl' | 'now'>,
  id: string,
  principal: Principal,
): Promise<void> {
  refuseUnfitId(id);
  const key = keyOf(principal, id);
  const hold = (await api.store.holds.ofThread(askAgent, key.threadId)).at(-1);
  const row = hold === undefined ? null : await api.store.tasks.get(hold.taskId);
  if (row !== null) {
    await cancelTask(api, row, principal.id);
    return;
  }
  if ((await api.store.intake.get(key)) === null) throw neverAsked(id);
  throw new HoldpointError('worker_unavailable', 'the question is kept and not open yet; withdraw it again');
}

/** First until the question is there, which takes moments, then for its end. */
async function untilEnded(
  { store }: Pick<ApiContext, 'store'>,
  threadId: ThreadId,
  check: () => Promise<HoldRow | null>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<HoldRow | null> {
  const untilMs = performance.now() + timeoutMs;
  const asked = await store.waitFor({ thread: { agent: askAgent, threadId } }, check, { timeoutMs, signal });
  if (asked === null) return null;
  const leftMs = Math.max(untilMs - performance.now(), 0);
  return followHold({ store }, asked.holdId, (row) => row.status !== 'open', { timeoutMs: leftMs, signal });
}

function closedAnswer(
  { signer, prover, publicUrl }: Pick<ApiContext, 'prover' | 'publicUrl' | 'signer'>,
  id: string,
  row: HoldRow,
): AskAnswer {
  const { holdId, decision } = row;
  const status = askStatusOf(row);
  if (decision === null || (status !== 'answered' && status !== 'declined'))
    return { status: status === 'answered' || status === 'declined' ? 'withdrawn' : status, id, holdId };
  const { values, by, reason, source } = decision;
  const toolArgs = row.question.tool?.args ?? null;
  const closed = { ...row, status: row.status === 'open' ? ('decided' as const) : row.status };
  const of = { issuer: publicUrl, agent: askerOf(row), a2aTaskId: null, hold: row, closed, from: 'row' as const };
  const receipt = receiptOf({ signer, prover }, of);
  const verdict = verdictOf(row.question, decision);
  const given = { status, id, holdId, values, verdict, toolArgs, by, reason, assumed: source === 'clock' };
  return receipt === null ? given : { ...given, receipt };
}

export interface Approval {
  approved: boolean;
  /** Arguments to call with; null without an approval. */
  args: JsonObject | null;
  reason: string | null;
}

/** Only a plain yes is one; silence, refusal and expiry are not. */
export function approvalOf(answer: AskAnswer): Approval {
  if (answer.status !== 'answered' && answer.status !== 'declined')
    return { approved: false, args: null, reason: null };
  const { values, toolArgs, verdict } = answer;
  const approved = verdict === 'yes';
  const given = values['reason'];
  const reason = typeof given === 'string' ? given : answer.reason;
  return { approved, args: approved ? objectOf(values[editedArgsField] ?? toolArgs) : null, reason };
}

/** What the log and the chat show of the run that asks a program's questions. */
function bodyOfAsk(run: { threadId: ThreadId; runId: RunId }, questions: Question[]): JsonObject {
  const messages = questions.map(({ title, message }, index) => ({
    id: `${run.runId}-${index + 1}`,
    role: 'user',
    content: message === '' ? title : message,
  }));
  return { ...run, messages, state: {}, tools: [], context: [], forwardedProps: {} };
}
