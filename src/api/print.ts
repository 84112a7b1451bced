// Prints: what was received, as one value to compare. The same answer is recognised by it at every door.
import type { JsonObject } from '../contract/json.ts';
import { printOf } from '../host/hash.ts';

export function answerPrint(answer: {
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
}): string {
  const { status, values, reason } = answer;
  return printOf(status === 'resolved' ? { status, values } : { status, reason });
}
