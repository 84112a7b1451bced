import type { ReadAnswers } from './answers.ts';
import { valueErrors } from './check-values.ts';
import type { Room } from './deps.ts';

/** Errors of all values that would go to open holds. */
export async function answerErrors(room: Room, answers: ReadAnswers): Promise<{ path: string; message: string }[]> {
  if (answers.shapeErrors.length > 0) return answers.shapeErrors;
  const checks = answers.entries.map(async (entry) => {
    const hold = answers.open.find((one) => one.interruptId === entry.hold);
    return hold === undefined ? [] : valueErrors(room, hold, entry);
  });
  return (await Promise.all(checks)).flat();
}
