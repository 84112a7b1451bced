// What the client of a held call reads of it.
import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/server';
import { callIdKey } from '../../core/policy/gate-message.ts';
import type { Came } from './held-call.ts';

/** A refusal is a result for the model to read, not a failed call. */
export const notMade = (text: string, meta: Record<string, unknown> = {}): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
  _meta: meta,
});

export function stillWaits(callId: string, link: string | null): CallToolResult {
  const where = link === null ? '' : ` at ${link}`;
  return notMade(
    `This call waits for people${where}. It was not made yet, and is made once they approve it. Call the tool again with the same arguments to wait on and get its result; other arguments are another call.`,
    { [callIdKey]: callId, 'io.standfast/status': 'waiting', ...(link === null ? {} : { 'io.standfast/link': link }) },
  );
}

/** Throws where the server answered with an error of the protocol. */
export function resultOf(came: Came, callId: string): CallToolResult {
  const meta = { [callIdKey]: callId };
  if (came.kind === 'not-made') return notMade(`The call was not made: ${came.why}.`, meta);
  const { outcome } = came;
  if (outcome.kind === 'refused') return notMade(`The call was not made: ${outcome.why}.`, meta);
  if (outcome.kind === 'error') throw new ProtocolError(outcome.error.code, outcome.error.message, outcome.error.data);
  // Safe: its server answered so.
  const result = outcome.result as unknown as CallToolResult;
  return { ...result, _meta: { ...result._meta, ...meta } };
}
