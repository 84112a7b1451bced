// How large an answer may be. Temporal ends an execution for good when a payload exceeds its limits, and
// cannot continue it when one step does. An answer is in history up to three times.
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Json } from '../../contract/base/json.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { refuse } from '../base/errors.ts';
import type { TaskState } from './task-state.ts';
import { utf8Length } from '../base/json.ts';

/** One answer, as JSON. */
export const maxAnswerBytes = 256 * 1024;
/** All answers and votes of one pause. */
const maxPauseBytes = 1024 * 1024;

const sizeOf = (value: Json): number => utf8Length(JSON.stringify(value));
const kib = (bytes: number): string => `${Math.ceil(bytes / 1024)} KiB`;

/** Says what is wrong with values that are too large for one answer; null when they are not. */
export function tooLarge(values: Json): string | null {
  const bytes = sizeOf(values);
  if (bytes <= maxAnswerBytes) return null;
  return `the answer has ${kib(bytes)}; at most ${kib(maxAnswerBytes)} are taken. Put what is longer into a file, and answer with its address`;
}

/** Says what is wrong with answers that are too large together; null when they are not. */
export function tooMuch(all: readonly Json[]): string | null {
  const bytes = all.reduce<number>((sum, values) => sum + sizeOf(values), 0);
  if (bytes <= maxPauseBytes) return null;
  return `the answers that go to the agent together have ${kib(bytes)}; at most ${kib(maxPauseBytes)} are taken`;
}

/** Refuses answers (payload_invalid) that are too large alone, or with what others gave in this pause. */
export function refuseLarge({ holds }: Pick<TaskState, 'holds'>, entries: readonly AnswerEntry[]): Refusal | null {
  // A command without an answer adds nothing, and must not be refused for the size of concurrent ones.
  if (entries.length === 0) return null;
  const given = holds.flatMap(({ decision, votes }) => [decision?.values ?? {}, ...votes.map(({ values }) => values)]);
  const fresh = entries.map(({ values }) => values);
  const message = fresh.map(tooLarge).find((why) => why !== null) ?? tooMuch([...given, ...fresh]);
  return message === null ? null : refuse('payload_invalid', message, { errors: [{ path: '', message }] });
}
