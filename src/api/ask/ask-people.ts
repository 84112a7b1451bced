// A question without an agent's task: kept as a run of the stand-in agent, opened by Temporal like any other, waited for by id.
import { isOpenAt } from '../../core/answers/time-up.ts';
import type { RunId, ThreadId } from '../../contract/base/id-types.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { IntakePlan, RunKey } from '../../contract/tasks/run.ts';
import { askRunId, replacedAnswer, versionOfRun, type AskAnswer } from '../../core/questions/ask-answer.ts';
import { errorOf, StandfastError } from '../../core/base/errors.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { holdUrl } from '../../core/base/page-url.ts';
import { taskIdOf } from '../../core/base/ids.ts';
import { runMac } from '../../core/base/proved-row.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import { answerOfRow } from '../../host/secrets/answer-of-row.ts';
import type { NewAttachment } from '../../store/ports/attachments.ts';
import type { IntakeRow } from '../../store/store.ts';
import { checkJson } from '../../wire/agui/input/json-bounds.ts';
import { asItCame, handOver, submitRun, type SubmitDeps } from '../runs/submit-run.ts';
import type { ApiContext } from '../api-context.ts';
import { rowsFollowMs } from '../engine/follow-rows.ts';
import { policyOfAsk, policyOfGate } from './ask-policy.ts';
import { askKey, askThreadId, newestRuns, refuseUnfitId } from './ask-runs.ts';
import { filesIn, filesUnder } from './ask-files.ts';
import { followAsks, hasReached, neverAsked, type FollowedAsk } from './follow-asks.ts';
import { endReplaced } from './withdraw-ask.ts';
import type { ViewReads, WithStore } from '../api-parts.ts';

export interface AskedPeople {
  /** Names the question: the same id again waits for the same answer. */
  id: string;
  question: Question;
  policy: string | null;
  /** The title as it would be without one of its own; null: it cannot have one. */
  untitled: string | null;
  /** Missing: another question under its id is refused. */
  ifChanged?: 'refuse' | 'wait' | 'replace' | undefined;
  /** Missing: none. */
  files?: readonly NewAttachment[];
  /** A gate's rules chose the policy, and not the caller. */
  isHeld?: true;
  /** Its answer is the result of its workflow. */
  isWorkflowResult?: true;
  /** How long its asker waits, a duration: the same question, asked again, may have less time left. */
  within?: string | undefined;
}

/** What asking, and reading the answer, needs of the api. */
export type AskingApi = SubmitDeps & Pick<ApiContext, 'log' | 'now' | 'prover' | 'signer' | 'starts' | 'temporalUiUrl'>;

/** Rows of an answer, with its receipt and its page. */
type AnswerReads = ViewReads & Pick<ApiContext, 'log' | 'prover' | 'signer'>;

/**
 * Keeps the question and has it opened; the same id with another question is what `ifChanged` says, a policy that this
 * caller may not name is refused with `forbidden`. Returns which question under its id is waited for.
 */
export async function askPeople(api: AskingApi, asked: AskedPeople, principal: Principal): Promise<number> {
  const { id, question, untitled, ifChanged = 'refuse' } = asked;
  const policyFor = asked.isHeld === true ? policyOfGate : policyOfAsk;
  const policy = policyFor(api.config, asked.policy, principal);
  refuseUnfitId(id);
  const named = policy === null ? question : { ...question, reply: { ...question.reply, policy } };
  refuseUnfit(bodyOfAsk({ threadId: askThreadId(principal, id), runId: askRunId(id) }, [named]), named);
  // A question that is asked again may come without its title.
  const ofFiles = filesIn(asked.files ?? []);
  const fingerprint = fingerprintOf({ ...named, ...ofFiles, ...(untitled === null ? {} : { title: untitled }) });
  const isSame = (stored: IntakeRow): boolean =>
    stored.fingerprint === fingerprint && !isOtherTitle(asked, stored.plan);
  for (let n = await nowAt(api, principal, id); ; n += 1) {
    const stored = await keep(api, askKey(principal, id, n), { asked, question: named, fingerprint, principal });
    if (isSame(stored) || (ifChanged === 'wait' && isOfSameTool(stored.plan, named))) {
      await handOverOnce(api, stored);
      return n;
    }
    if (ifChanged === 'wait') throw otherTool(id);
    if (ifChanged === 'refuse') throw otherQuestion(id);
    const { isEnded } = await endReplaced(api, id, principal);
    if (!isEnded) throw notTaken('the question that it replaces is being withdrawn; ask again');
  }
}

/** Which of the questions under an id is asked now, from 1. */
async function nowAt(api: WithStore, principal: Principal, id: string): Promise<number> {
  const threadId = askThreadId(principal, id);
  return (await newestRuns(api, [threadId])).get(threadId) ?? 1;
}

const otherQuestion = (id: string): StandfastError =>
  new StandfastError(
    'run_conflict',
    `the id ${id} was used for another question, or with other fields; to wait on for its answer give the id alone, or ifChanged: wait; to ask this one in its place, ifChanged: replace`,
  );

/** A yes to the call of one tool is waited for by none that calls another, nor one that asks something else. */
const isOfSameTool = (plan: IntakePlan, { tool }: Question): boolean =>
  plan.kind === 'ask' && plan.questions[0]?.tool?.name === tool?.name;

const otherTool = (id: string): StandfastError =>
  new StandfastError(
    'run_conflict',
    `the id ${id} was used for the call of another tool, or for another kind of question: its answer is none to this one`,
  );

interface Kept {
  asked: AskedPeople;
  question: Question;
  fingerprint: string;
  principal: Principal;
}

/** With the earlier one of its own deadline and this. */
function withinTime(question: Question, within: string): Question {
  const { expireAfter } = question;
  return expireAfter !== undefined && durationMs(expireAfter) <= durationMs(within)
    ? question
    : { ...question, expireAfter: within };
}

/** Kept under this key, or what was kept there before. */
async function keep(
  api: AskingApi,
  key: RunKey,
  { asked, question: named, fingerprint, principal }: Kept,
): Promise<IntakeRow> {
  const question = asked.within === undefined ? named : withinTime(named, asked.within);
  await api.starts.refuseWhenFull(async () => (await api.store.intake.get(key)) !== null);
  const filesKey = await keepFiles(api, key, asked.files ?? [], fingerprint);
  // Who asks is the requester, whatever a row says that lay there before: the thread's name is made of the asker's.
  const { id: owner } = principal;
  await api.store.threads.claim(key.agent, key.threadId, owner);
  const row = {
    ...key,
    fingerprint,
    principal,
    receivedAt: api.now().toISOString(),
    body: bodyOfAsk(key, [question]),
    messageIds: [],
    plan: {
      kind: 'ask' as const,
      questions: [question],
      owner,
      ...(asked.isWorkflowResult ? { answerId: asked.id } : {}),
      ...(filesKey === null ? {} : { filesKey }),
    },
  };
  const mac = runMac(api.prover, row);
  const stored = await api.store.intake.put({ ...row, mac });
  return asItCame(api, stored, mac);
}

/**
 * Before the question, so that it is never asked without them; under a key of its text, so that no file of another text under
 * the same id is shown with it. Null: there are none.
 */
async function keepFiles(
  { store }: WithStore,
  key: RunKey,
  files: readonly NewAttachment[],
  fingerprint: string,
): Promise<string | null> {
  if (files.length === 0) return null;
  const filesKey = `files:${fingerprint}`;
  if ((await store.intake.get(key)) === null)
    await store.attachments.put(
      taskIdOf(sha1Hex, key.agent, key.threadId, key.runId),
      filesKey,
      filesUnder(filesKey, files),
      true,
    );
  return filesKey;
}

async function handOverOnce(api: AskingApi, stored: IntakeRow): Promise<void> {
  if (stored.admittedAt !== null) return;
  const admission = await submitRun(api, stored);
  // Kept is enough: the sweeper hands it over as soon as it can be taken.
  if (admission.result === 'refused') throw errorOf(admission.refusal);
}

/** Hands over again what was kept: for an open question this says who waits for its answer, too. */
export async function handOverAsk(api: SubmitDeps, id: string, principal: Principal): Promise<void> {
  const row = await api.store.intake.get(askKey(principal, id, 1));
  if (row === null) throw neverAsked(id);
  const admission = await handOver(api, asItCame(api, row));
  if (admission.result === 'refused') throw errorOf(admission.refusal);
}

/** Another title, not none, in addition to one that was given before. */
function isOtherTitle({ question, untitled }: AskedPeople, plan: IntakePlan): boolean {
  const before = (plan.kind === 'ask' ? plan.questions[0]?.title : undefined) ?? untitled;
  return untitled !== null && question.title !== untitled && before !== untitled && before !== question.title;
}

/** Before it is kept: what could not be read again would never be asked. */
function refuseUnfit({ messages = [] }: JsonObject, question: Question): void {
  // Safe: a question is plain JSON.
  const checked = checkJson({ messages, ask: [question as unknown as JsonObject] });
  if (checked.ok) return;
  const { path, message } = checked.error;
  const at = path.replace(/^(ask|messages)\.\d+\./, '');
  throw new StandfastError('input_invalid', `${at}: ${message}`);
}

/**
 * Waits for the answer, at most so long; `waiting` is not a failure, the same id waits on. `version`: the question that was asked;
 * missing: the newest.
 */
export async function answerOf(
  api: AnswerReads,
  id: string,
  principal: Principal,
  { version, ...wait }: { timeoutMs: number; signal: AbortSignal; version?: number },
): Promise<AskAnswer> {
  refuseUnfitId(id);
  const { asks, unknown } = await followAsks(api, [id], principal, { ...wait, until: 'ended' });
  if (unknown.length > 0) throw neverAsked(id);
  const newest = asks[0]?.version ?? 1;
  if (version !== undefined && newest > version) return replacedAnswer(id, version);
  const [answer] = await answersOf(api, asks);
  return answer ?? { status: 'waiting', id, version: newest, holdId: null, link: null, expiresAt: null };
}

/** Those of the caller's questions that are open or have ended, as soon as one is; nothing is thrown for an unknown id. */
export async function answersTo(
  api: AnswerReads,
  ids: readonly string[],
  principal: Principal,
  wait: Parameters<typeof followAsks>[3],
): Promise<{ answers: AskAnswer[]; unknown: string[] }> {
  const { asks, unknown } = await followAsks(api, ids, principal, wait);
  const reached = asks.filter((ask) => hasReached(ask, wait.until));
  return { answers: await answersOf(api, reached), unknown };
}

async function answersOf(api: AnswerReads, asks: readonly FollowedAsk[]): Promise<AskAnswer[]> {
  const holdIds = asks.flatMap(({ hold }) => (hold === null ? [] : [hold.holdId]));
  const rows = new Map((await api.store.holds.many(holdIds)).map((row) => [row.holdId, row]));
  const now = api.now().toISOString();
  return asks.flatMap(({ id, hold }): AskAnswer[] => {
    const row = hold === null ? undefined : rows.get(hold.holdId);
    if (row === undefined) return [];
    if (row.status !== 'open') return [answerOfRow(api, row, id)];
    const { holdId, expiresAt } = row;
    return [
      {
        status: 'waiting',
        id,
        version: versionOfRun(row.openedInRun),
        holdId,
        link: isOpenAt(row, now) ? holdUrl(api.publicUrl, holdId) : null,
        expiresAt,
      },
    ];
  });
}

/** The page of a question that has just been asked; null where it has ended, or is not open yet. */
export async function pageOfAsk(
  api: AnswerReads,
  id: string,
  principal: Principal,
  signal: AbortSignal,
): Promise<string | null> {
  const { answers } = await answersTo(api, [id], principal, { until: 'opened', timeoutMs: rowsFollowMs, signal });
  const [answer] = answers;
  return answer?.status === 'waiting' ? answer.link : null;
}

const notTaken = (detail: string): StandfastError => new StandfastError('worker_unavailable', detail);

/** What the log and the chat show of the run that asks a program's questions. */
function bodyOfAsk(run: { threadId: ThreadId; runId: RunId }, questions: Question[]): JsonObject {
  const messages = questions.map(({ title, message }, index) => ({
    id: `${run.runId}-${index + 1}`,
    role: 'user',
    content: message === '' ? title : message,
  }));
  return { ...run, messages, state: {}, tools: [], context: [], forwardedProps: {} };
}
