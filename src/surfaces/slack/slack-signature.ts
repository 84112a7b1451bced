import { createHmac, timingSafeEqual } from 'node:crypto';

/** Requests that are older, or further in the future, may be replayed. */
const maxAgeMs = 5 * 60_000;

/** True for a request that Slack signed with this secret in the last five minutes: `v0=` HMAC-SHA-256 of `v0:<timestamp>:<body>`. */
export function isSlackSignature(
  secret: string,
  { timestamp, signature, body }: { timestamp: string; signature: string; body: string },
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs - Number(timestamp) * 1000) > maxAgeMs) return false;
  const expected = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`);
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
