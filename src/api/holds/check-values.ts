import type { AnswerEntry } from '../../contract/decision.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import type { HoldRow } from '../../store/store.ts';
import { checkJson } from '../../wire/agui/input/json-bounds.ts';
import type { ApiContext } from '../api-context.ts';
import { unsealAnswer } from './seal-answers.ts';

type Checking = Pick<ApiContext, 'checkAnswer' | 'store' | 'sealer'>;

/**
 * What is wrong with an answer's values, by JSON pointer; nothing when they fit, or when the answer is a refusal. A schema
 * that cannot be used lets every answer pass, here as in the activity: a question must never be unanswerable.
 */
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
  return !verdict.ok && 'errors' in verdict ? verdict.errors : [];
}

/** Throws `payload_invalid` before the workflow hears of it, so that nothing enters its history. */
export async function checkValues(api: Checking, hold: HoldRow, entry: AnswerEntry): Promise<void> {
  const errors = await valueErrors(api, hold, entry);
  if (errors.length === 0) return;
  throw new HoldpointError('payload_invalid', describePayload(errors), { data: { errors } });
}

/** The first few errors as one sentence. */
export function describePayload(errors: { path: string; message: string }[]): string {
  const text = errors.slice(0, 3).map(({ path, message }) => `${path === '' ? 'the answer' : path}: ${message}`);
  const more = errors.length > 3 ? ` (and ${errors.length - 3} more)` : '';
  return `the answer does not fit the question: ${text.join('; ')}${more}`;
}
