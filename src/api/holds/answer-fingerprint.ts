// Prints: what was received, as one value to compare. The same answer is recognised by it at every door.
import type { JsonObject } from '../../contract/json.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';

export function answerFingerprint(answer: {
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
}): string {
  const { status, values, reason } = answer;
  return fingerprintOf(status === 'resolved' ? { status, values } : { status, reason });
}
