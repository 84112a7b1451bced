// A question without an agent's task: kept as a run of the stand-in agent, opened by Temporal like any other, waited for by id.
import { RunIdSchema } from '../../contract/base/ids.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { IntakePlan } from '../../contract/tasks/run.ts';
import { askAgent } from '../../core/questions/ask.ts';
import { errorOf, HoldpointError } from '../../core/base/errors.ts';
import { holdUrl } from '../../core/base/page-url.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { HoldRow } from '../../store/store.ts';
import { checkJson } from '../../wire/agui/input/json-bounds.ts';
import { admit } from '../runs/admit.ts';
import type { ApiContext } from '../api-context.ts';
import { followHold } from '../engine/follow-rows.ts';

export interface AskedPeople {
  /** Names the question: the same id again waits for the same answer. */
  id: string;
  question: Question;
  policy: string | null;
  /** The title as it would be without one of its own; null: it cannot have one. */
  untitled: string | null;
}

export type AskAnswer =
  | { status: 'waiting'; id: string; holdId: string | null; link: string | null }
  | {
      status: 'answered' | 'declined';
      id: string;
      holdId: string;
      values: JsonObject;
      /** Arguments of the tool call that was asked about, as they were shown. */
      toolArgs: JsonObject | null;
      by: string;
      reason: string | null;
    }
  | { status: 'expired' | 'withdrawn' | 'cancelled'; id: string; holdId: string };

export const askRunId = (id: string): string => `ask-${id}`;

/** Ids are a space of each caller's own: two programs that count from 1 ask two questions. */
export const askThreadId = ({ id: caller }: Pick<Principal, 'id'>, id: string): string =>
  `ask-${sha1Hex(new TextEncoder().encode(JSON.stringify([caller, id])))}`;

/** Keeps the question and has it opened; the same id with another question is refused with `run_conflict`. */
export async function askPeople(api: ApiContext, asked: AskedPeople, principal: Principal): Promise<void> {
  const { id, question, policy, untitled } = asked;
  refuseUnfitId(id);
  const key = { agent: askAgent, threadId: askThreadId(principal, id), runId: askRunId(id) };
  const named = policy === null ? question : { ...question, reply: { ...question.reply, policy } };
  const run = { threadId: key.threadId, runId: key.runId };
  const body = bodyOfAsk(run, [named]);
  refuseUnfit(body, named);
  const { owner } = await api.store.threads.claim(key.agent, key.threadId, principal.id);
  // Whoever asks again may leave the title out.
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
  const admission = await admit(api, stored);
  // Kept is enough: the sweeper hands it over as soon as somebody is there to take it.
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

/** Waits for the answer, at most so long; `waiting` is no failure, the same id waits on. */
export async function answerOf(
  api: ApiContext,
  id: string,
  principal: Principal,
  wait: { timeoutMs: number; signal: AbortSignal },
): Promise<AskAnswer> {
  refuseUnfitId(id);
  const threadId = askThreadId(principal, id);
  const check = async (): Promise<HoldRow | null> =>
    (await api.store.holds.ofThread(askAgent, threadId)).at(-1) ?? null;
  const kept = await api.store.intake.get({ agent: askAgent, threadId, runId: askRunId(id) });
  if (kept === null && (await check()) === null)
    throw new HoldpointError('not_found', `nothing was asked under the id ${id}; ask with the whole question`);
  const ended = await untilEnded(api, threadId, check, wait);
  if (ended !== null) return closedAnswer(id, ended);
  const open = await check();
  const link = open === null ? null : holdUrl(api.publicUrl, open.holdId);
  return { status: 'waiting', id, holdId: open?.holdId ?? null, link };
}

/** First until the question is there, which takes moments, then for its end. */
async function untilEnded(
  { store }: ApiContext,
  threadId: string,
  check: () => Promise<HoldRow | null>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<HoldRow | null> {
  const untilMs = performance.now() + timeoutMs;
  const asked = await store.waitFor({ thread: { agent: askAgent, threadId } }, check, { timeoutMs, signal });
  if (asked === null) return null;
  const leftMs = Math.max(untilMs - performance.now(), 0);
  return followHold({ store }, asked.holdId, (row) => row.status !== 'open', { timeoutMs: leftMs, signal });
}

function closedAnswer(id: string, row: HoldRow): AskAnswer {
  const { holdId, decision, status } = row;
  if (decision !== null) {
    const { values, by, reason } = decision;
    const toolArgs = row.question.tool?.args ?? null;
    return {
      status: decision.status === 'resolved' ? 'answered' : 'declined',
      id,
      holdId,
      values,
      toolArgs,
      by,
      reason,
    };
  }
  return { status: status === 'expired' || status === 'cancelled' ? status : 'withdrawn', id, holdId };
}

/** What the log and the chat show of the run that asks a program's questions. */
function bodyOfAsk(run: { threadId: string; runId: string }, questions: Question[]): JsonObject {
  const messages = questions.map(({ title, message }, index) => ({
    id: `${run.runId}-${index + 1}`,
    role: 'user',
    content: message === '' ? title : message,
  }));
  return { ...run, messages, state: {}, tools: [], context: [], forwardedProps: {} };
}
