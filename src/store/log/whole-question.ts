// A question with all that lies next to its row, as its agent sent it.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { Question } from '../../contract/holds/question.ts';
import { restoredQuestion } from '../../core/consent/whole.ts';
import type { Attachments } from '../ports/attachments.ts';

export interface Contents {
  attachments: Pick<Attachments, 'content'>;
}

/** Null: something of it is not here, or not any more. */
export async function wholeQuestion(
  { attachments }: Contents,
  { taskId, question }: { taskId: TaskId; question: Question },
): Promise<Question | null> {
  const { whole = [] } = question;
  if (whole.length === 0) return question;
  const texts = new Map<string, string | null>();
  for (const { digest } of whole) if (!texts.has(digest)) texts.set(digest, await attachments.content(taskId, digest));
  return restoredQuestion(question, (digest) => texts.get(digest) ?? null);
}
