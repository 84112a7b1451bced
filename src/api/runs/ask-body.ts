import type { Question } from '../../contract/form.ts';
import type { JsonObject } from '../../contract/json.ts';

/** What the log and the chat show of the run that asks a program's questions. */
export function bodyOfAsk(run: { threadId: string; runId: string }, questions: Question[]): JsonObject {
  const messages = questions.map(({ title, message }, index) => ({
    id: `${run.runId}-${index + 1}`,
    role: 'user',
    content: message === '' ? title : message,
  }));
  return { ...run, messages, state: {}, tools: [], context: [], forwardedProps: {} };
}
