import type { ReadAnswers } from './answers.ts';
import { valueErrors } from './check-values.ts';
import type { ApiContext } from '../api-context.ts';

/** Errors of all values that would go to open holds. */
export async function answerErrors(
  api: ApiContext,
  answers: ReadAnswers,
): Promise<{ path: string; message: string }[]> {
  if (answers.shapeErrors.length > 0) return answers.shapeErrors;
  const checks = answers.entries.map(async (entry) => {
    const hold = answers.open.find((one) => one.interruptId === entry.hold);
    return hold === undefined ? [] : valueErrors(api, hold, entry);
  });
  return (await Promise.all(checks)).flat();
}
