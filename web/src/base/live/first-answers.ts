// What came with the page: the answers to what it asks first (src/api/routes/site/first-answers.ts), so that it is drawn
// without waiting for a request.
import { takeDateHeader } from '../time/clock.ts';

function read(): Map<string, unknown> {
  const text = globalThis.document?.getElementById('first')?.textContent ?? '';
  if (text === '') return new Map();
  const found: Record<string, unknown> = JSON.parse(text);
  takeDateHeader(String(found['at']), performance.timeOrigin);
  return new Map(Object.entries(found));
}

const answers = read();

/** Null: it did not come, or was dropped, and has to be asked for. */
export const firstAnswer = <T>(path: string): T | null => (answers.get(path) as T | undefined) ?? null;

/** Forgets an answer that is shown: from then on it is old. */
export const dropFirst = (path: string): void => void answers.delete(path);
