// The entries of `resume`, as the holds they name understand them.
import type { HoldId, InterruptId, ThreadId } from '../../contract/base/id-types.ts';
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { answerGiven } from '../../core/consent/proof.ts';
import { judgeResume, namesNone, type ResumeJudgement } from '../../core/answers/resume.ts';
import { sayingOf } from '../../core/consent/verdict.ts';
import type { HoldRow } from '../../store/store.ts';
import { pendingIn } from '../../wire/agui/cards/task-entry.ts';
import { parsePayload, type ResumeEntry } from '../../wire/agui/input/resume-forms.ts';
import type { RunInput } from '../../wire/agui/input/run-input.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import { isObject } from '../../core/base/json.ts';
import type { WithStore } from '../api-parts.ts';

export interface ReadAnswers {
  entries: AnswerEntry[];
  /** All holds of the thread that can be meant: never an operator's. */
  holds: HoldRow[];
  open: HoldRow[];
  /** Payloads that are no object where one is needed. */
  shapeErrors: { path: string; message: string }[];
}

/** A payload as values: the plain text of a text question, a bare yes or no, and nothing at all, have a meaning of their own. */
function valuesOf(given: Json, hold: HoldRow | undefined): JsonObject | null {
  if (given === null) return {};
  if (hold?.question.kind === 'text' && typeof given === 'string') return { text: given };
  const payload = parsePayload(given);
  if (isObject(payload)) return payload;
  if (hold === undefined) return null;
  return typeof payload === 'boolean' ? sayingOf(hold.question, payload) : null;
}

/**
 * The hold an entry means. One that names none means the only one that its client's state shows; a client without such a state
 * means the only one that its thread ever asked. Where none is open, the last one is compared.
 */
export function holdOfEntry(
  holds: HoldRow[],
  interruptId: HoldId | InterruptId | null,
  { state }: Pick<RunInput, 'state'>,
): HoldRow | undefined {
  const of = (id: string): HoldRow | undefined => holds.find((hold) => hold.interruptId === id || hold.holdId === id);
  if (interruptId !== null) return of(interruptId);
  const shown = pendingIn(state);
  const [only, ...more] = shown ?? [];
  if (only !== undefined) return more.length === 0 ? of(only) : undefined;
  if (holds.every((hold) => hold.status !== 'open')) return holds.at(-1);
  return shown === null && holds.length === 1 ? holds[0] : undefined;
}

/** All holds of a thread that answers can mean: never an operator's. */
export async function answerableHolds(
  api: WithStore,
  agent: string,
  threadId: ThreadId,
  resume: ResumeEntry[],
): Promise<HoldRow[]> {
  const named = resume.map((entry) => entry.interruptId).filter((id) => id !== null);
  const recent = await api.store.holds.ofThread(agent, threadId);
  const missing = named.filter((id) => recent.every(({ interruptId, holdId }) => interruptId !== id && holdId !== id));
  const old = missing.length === 0 ? [] : await api.store.holds.byInterrupt(agent, threadId, missing);
  const known = new Map([...old, ...recent].map((hold) => [hold.holdId, hold]));
  return [...known.values()].filter((hold) => hold.question.kind !== 'operator');
}

export async function readAnswers(
  api: WithStore,
  agent: string,
  input: Pick<RunInput, 'threadId' | 'resume' | 'state'>,
  known?: HoldRow[],
): Promise<ReadAnswers> {
  const { threadId, resume } = { ...input, resume: input.resume ?? [] };
  const holds = known ?? (await answerableHolds(api, agent, threadId, resume));
  const open = holds.filter((hold) => hold.status === 'open');
  const shapeErrors: ReadAnswers['shapeErrors'] = [];
  const entries = resume.map((given): AnswerEntry => {
    const { interruptId, status, reason, digest } = given;
    const hold = holdOfEntry(holds, interruptId, input);
    const values = status === 'resolved' ? valuesOf(given.payload, hold) : {};
    const path = resume.length > 1 ? (hold?.interruptId ?? interruptId ?? '') : '';
    if (values === null) shapeErrors.push({ path, message: 'expected an object with the fields of the question' });
    const answer = { status, values: values ?? {}, reason };
    return {
      hold: hold?.interruptId ?? interruptId ?? namesNone,
      ...answer,
      digest,
      fingerprint: answerFingerprint(answer),
    };
  });
  return { entries, holds, open, shapeErrors };
}

/** Answers whose values have been checked, with the digest of the question that each was checked against. */
export function stamped({ entries, open }: ReadAnswers): AnswerEntry[] {
  return entries.map((entry) => {
    const hold = open.find(({ interruptId }) => interruptId === entry.hold);
    return hold === undefined ? entry : { ...entry, checked: { digest: hold.digest } };
  });
}

/** Judges by the rows, which may lag behind the workflow; the workflow has the last word on open holds. */
export function judgeAnswers(
  answers: ReadAnswers,
  who: { principal: Principal; receivedAt: string },
  owner: string,
  now: string,
): ResumeJudgement {
  const openIds = answers.open.map((hold) => hold.interruptId);
  return judgeResume(answers.holds, openIds, answers.entries, who, owner, now);
}

/** Whether any answer would go to a question that is open, as far as the rows know. */
export function namesOpen(answers: ReadAnswers): boolean {
  return answers.open.some((hold) => answers.entries.some((entry) => entry.hold === hold.interruptId));
}

/**
 * Ids of the tool messages in which a client repeats its answers (CopilotKit adds one per tool call that was asked about):
 * the agent gets the answer itself, so they are never sent to it as results.
 */
export function answersAsResults({ entries, holds }: ReadAnswers, messages: readonly JsonObject[]): string[] {
  const named = holds.filter((hold) => entries.some((entry) => entry.hold === hold.interruptId));
  const calls = new Set(named.map(({ card }) => card['toolCallId']));
  return messages
    .filter(({ role, toolCallId }) => role === 'tool' && typeof toolCallId === 'string' && calls.has(toolCallId))
    .map(({ id }) => id)
    .filter((id) => typeof id === 'string');
}

/** What was received, as one value to compare: the same answer has the same fingerprint, whatever its source. */
export function answerFingerprint(answer: {
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
}): string {
  return fingerprintOf(answerGiven(answer));
}
