// The entries of `resume`, as the holds they name understand them.
import type { HoldId, InterruptId, ThreadId } from '../../contract/base/id-types.ts';
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { answerGiven } from '../../core/consent/proof.ts';
import { judgeResume, type ResumeJudgement } from '../../core/answers/resume.ts';
import { sayingOf } from '../../core/consent/verdict.ts';
import type { HoldRow } from '../../store/store.ts';
import { parsePayload, type ResumeEntry } from '../../wire/agui/input/resume-forms.ts';
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

/** The hold an entry means; without an id the only open one, or the last one when none is open. */
export function holdOfEntry(holds: HoldRow[], interruptId: HoldId | InterruptId | null): HoldRow | undefined {
  if (interruptId !== null)
    return holds.find((hold) => hold.interruptId === interruptId || hold.holdId === interruptId);
  const open = holds.filter((hold) => hold.status === 'open');
  return open.length === 0 ? holds.at(-1) : open.length === 1 ? open[0] : undefined;
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
  threadId: ThreadId,
  resume: ResumeEntry[],
  known?: HoldRow[],
): Promise<ReadAnswers> {
  const holds = known ?? (await answerableHolds(api, agent, threadId, resume));
  const open = holds.filter((hold) => hold.status === 'open');
  const shapeErrors: ReadAnswers['shapeErrors'] = [];
  const entries = resume.map((given): AnswerEntry => {
    const { interruptId, status, reason, digest } = given;
    const hold = holdOfEntry(holds, interruptId);
    const values = status === 'resolved' ? valuesOf(given.payload, hold) : {};
    const path = resume.length > 1 ? (hold?.interruptId ?? interruptId ?? '') : '';
    if (values === null) shapeErrors.push({ path, message: 'expected an object with the fields of the question' });
    const answer = { status, values: values ?? {}, reason };
    // An entry without an id is judged as unknown.
    return {
      hold: hold?.interruptId ?? interruptId ?? `(none is named, and ${open.length} are open)`,
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
