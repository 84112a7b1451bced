// Keeps what is too long to be carried with a question, before anything of it is cut.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { Question } from '../../contract/holds/question.ts';
import { carriedQuestions, withoutContents } from '../../core/consent/whole.ts';
import { sha256OfText } from '../../host/secrets/hash.ts';
import type { Tables } from '../../store/store.ts';
import { maxTaskBytes } from './attachments.ts';

/** Whole questions as they are carried. What is too long for that is kept first; where there is no room, nothing is approved. */
export async function keepWhole(
  { attachments }: Pick<Tables, 'attachments'>,
  taskId: TaskId,
  questions: readonly Question[],
): Promise<Question[]> {
  const carried = carriedQuestions(questions, sha256OfText);
  if (carried === null) throw new Error('a pause is read so that its questions can be carried');
  const contents = [...new Map(carried.contents.map((one) => [one.digest, one])).values()];
  if (contents.length === 0) return carried.questions;
  const bytes = contents.reduce((sum, one) => sum + one.bytes, 0);
  if ((await attachments.sizeOf(taskId)) + bytes > maxTaskBytes)
    return carried.questions.map((question) => withoutContents(question, maxTaskBytes / 1024 / 1024));
  await attachments.putContents(taskId, contents);
  return carried.questions;
}
