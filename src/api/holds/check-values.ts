import type { TaskId } from '../../contract/base/id-types.ts';
import type { AnswerEntry, MessageInput } from '../../contract/holds/decision.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { HoldRow } from '../../store/store.ts';
import { whyOtherOnWire } from '../../wire/a2a/dialects/same-on-wire.ts';
import { checkJson } from '../../wire/agui/input/json-bounds.ts';
import type { ApiContext } from '../api-context.ts';
import { proved } from './prove-answer.ts';
import { unsealAnswer } from './seal-answers.ts';
import { type ReadAnswers, answerFingerprint } from './answers.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { errorsOf } from '../../core/answers/verdict-errors.ts';
import { judgeAnswer } from '../../core/answers/decision.ts';
import type { AnswerChecks } from '../api-parts.ts';

type Checking = AnswerChecks;

/** What is wrong with an answer's values, by JSON pointer; nothing when they fit, or when the answer is a refusal. */
export async function valueErrors(
  api: Checking,
  hold: HoldRow,
  entry: AnswerEntry,
): Promise<{ path: string; message: string }[]> {
  if (entry.status !== 'resolved') return [];
  // A client would be refused with the whole conversation, once this is a part of it.
  const unfit = checkJson(entry.values);
  if (!unfit.ok) return [{ path: `/${unfit.error.path.replaceAll('.', '/')}`, message: unfit.error.message }];
  const values = hold.question.secrets.length === 0 ? entry.values : await unsealAnswer(api, hold, entry.values);
  const verdict = await api.checkAnswer(hold.question.schema, values);
  if (!verdict.ok) return errorsOf(verdict);
  const other = whyOtherOnWire(hold.question, { status: entry.status, values, reason: entry.reason });
  return other === null ? [] : [other];
}

/** Throws `payload_invalid` before the workflow is called, so that nothing enters its history. */
export async function checkValues(api: Checking, hold: HoldRow, entry: AnswerEntry): Promise<void> {
  const errors = await valueErrors(api, hold, entry);
  if (errors.length === 0) return;
  throw new StandfastError('payload_invalid', describePayload(errors), { data: { errors } });
}

/** What is wrong with an answer; `question`: the title of its question, where several are answered at once. */
interface PayloadError {
  path: string;
  message: string;
  question?: string;
}

/** The first few errors as one sentence. */
export function describePayload(errors: readonly PayloadError[]): string {
  const text = errors.slice(0, 3).map(({ path, message, question }) => {
    const of = question === undefined ? '' : `“${question}” `;
    return `${of}${path === '' ? 'the answer' : path}: ${message}`;
  });
  const more = errors.length > 3 ? ` (and ${errors.length - 3} more)` : '';
  return `the answer does not fit the question: ${text.join('; ')}${more}`;
}

/** Errors of all values that would go to open holds; of several each is named, in the path by its id. */
export async function answerErrors(api: AnswerChecks, answers: ReadAnswers): Promise<PayloadError[]> {
  if (answers.shapeErrors.length > 0) return answers.shapeErrors;
  const checks = answers.entries.map(async (entry) => {
    const hold = answers.open.find((one) => one.interruptId === entry.hold);
    const errors = hold === undefined ? [] : await valueErrors(api, hold, entry);
    if (hold === undefined || answers.entries.length === 1) return errors;
    const { interruptId, question } = hold;
    return errors.map((error) => ({ ...error, path: `${interruptId}${error.path}`, question: question.title }));
  });
  return (await Promise.all(checks)).flat();
}

/**
 * The stamp of words that are an answer, checked here so that no activity has to; nothing where they are none, as far as the
 * rows know: the workflow has the last word. Throws `payload_invalid` for words that do not fit.
 */
export async function stampOfText(
  api: Pick<ApiContext, 'checkAnswer' | 'prover' | 'sealer' | 'store'>,
  { taskId }: { taskId: TaskId },
  text: string,
  who: { principal: Principal; receivedAt: string },
): Promise<Pick<MessageInput, 'checked' | 'proof'>> {
  const [hold, ...more] = (await api.store.holds.ofTask(taskId)).filter(({ status }) => status === 'open');
  if (hold === undefined || more.length > 0 || hold.question.kind !== 'text' || hold.asking) return {};
  // Clear text is not an answer to a secret, and the workflow says so.
  if (hold.question.secrets.length > 0) return {};
  const answer = { status: 'resolved' as const, values: { text }, reason: null };
  const fingerprint = answerFingerprint(answer);
  const entry = { hold: hold.interruptId, ...answer, digest: null, fingerprint };
  const judged = judgeAnswer(hold, entry, who, hold.owner, who.receivedAt);
  if (!judged.ok || judged.kind === 'repeat') return {};
  await checkValues(api, hold, entry);
  const { proof } = proved(api, hold, entry, { ...who, source: 'chat', at: who.receivedAt });
  return { checked: { digest: hold.digest, fingerprint }, ...(proof === undefined ? {} : { proof }) };
}
