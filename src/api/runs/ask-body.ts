// How a question over MCP lies in the body of its kept run: written and read here alone.
import type { Question } from '../../contract/form.ts';
import type { JsonObject } from '../../contract/json.ts';

const key = 'holdpoint';

export function bodyOfAsk(run: { threadId: string; runId: string }, questions: Question[]): JsonObject {
  const messages = questions.map(({ title, message }, index) => ({
    id: `${run.runId}-${index + 1}`,
    role: 'user',
    content: message === '' ? title : message,
  }));
  // Safe: questions are plain JSON.
  const forwardedProps = { [key]: { ask: questions } } as unknown as JsonObject;
  return { ...run, messages, state: {}, tools: [], context: [], forwardedProps };
}

/** Null for the body of any other run. */
export function asksIn(body: JsonObject): Question[] | null {
  const props = body['forwardedProps'] as { [key]?: { ask?: Question[] } } | undefined;
  return props?.[key]?.ask ?? null;
}
