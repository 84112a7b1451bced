// Nothing is executed before a person approved it. The calls are planned from the task's history, asked about together in the
// dialect kagent hitl/v1, and executed by their answer alone: an approval that does not name a call is none.

export const hitlUri = 'https://kagent.dev/extensions/hitl/v1';

/**
 * @typedef {{ id: string, name: string, args: object }} Call
 * @param {import('./turn.js').Turn} turn
 * @param {Call[]} calls @param {string} hint
 */
export function askForApproval(turn, calls, hint) {
  const tools = calls.map(({ id, name, args }) => ({ id, call_id: id, name, args }));
  turn.status('TASK_STATE_INPUT_REQUIRED', [{ text: hint }], {
    extensions: [hitlUri],
    metadata: { [hitlUri]: { type: 'tool_approval_request', hint, tools } },
  });
}

/**
 * @param {{ metadata?: Record<string, any> }} message the user's answer, which is anything at all until it is read
 * @param {Call[]} calls
 * @returns {Map<string, { approved: boolean, reason: string }> | null} by call id; null when it answers something else
 */
export function approvalsIn(message, calls) {
  const answer = message.metadata?.[hitlUri];
  if (answer?.type !== 'tool_approval_response' || !Array.isArray(answer.approvals)) return null;
  const found = new Map();
  for (const { id } of calls) {
    const named = answer.approvals.filter((one) => one?.id === id);
    // Missing, twice, or anything but a plain true or false: nothing was approved.
    if (named.length !== 1 || typeof named[0].approved !== 'boolean') return null;
    found.set(id, { approved: named[0].approved, reason: String(named[0].rejection_reason ?? '') });
  }
  return answer.approvals.length === calls.length ? found : null;
}

const receiptsKey = 'urn:standfast:receipts:v1';

/**
 * The approvals that a receipt of Standfast proves, one for exactly this call: any other is none, from any sender.
 *
 * @param {{ metadata?: Record<string, any> }} message
 * @param {Call[]} calls
 * @param {Map<string, { approved: boolean, reason: string }>} approvals
 * @param {(jws: string, call: Call) => Promise<unknown>} verify rejects a receipt that is not of this call
 */
export async function proven(message, calls, approvals, verify) {
  const receipts = message.metadata?.[receiptsKey];
  const found = new Map();
  for (const call of calls) {
    const { approved, reason } = approvals.get(call.id) ?? { approved: false, reason: '' };
    const isProven = approved && (await isOneOf(Array.isArray(receipts) ? receipts : [], call, verify));
    found.set(
      call.id,
      approved && !isProven ? { approved: false, reason: 'no receipt proves it' } : { approved, reason },
    );
  }
  return found;
}

async function isOneOf(receipts, call, verify) {
  for (const jws of receipts) {
    try {
      await verify(jws, call);
      return true;
    } catch {
      // Perhaps of another call of the same pause.
    }
  }
  return false;
}
