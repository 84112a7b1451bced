import { z } from 'zod';
import { isPlainText, plainTextMessage } from './text.ts';

/** Longest A2A id we keep, in UTF-8 bytes; a longer one is refused, never cut. */
const maxA2aIdBytes = 200;

const noControls = /^[^\u0000-\u001f\u007f]*$/;
const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

const clientId = (what: string): z.ZodString =>
  z
    .string()
    .min(1, `${what} must not be empty`)
    .refine((text) => utf8Bytes(text) <= 128, `${what} must be at most 128 bytes`)
    .refine((text) => noControls.test(text), `${what} must not contain control characters`)
    .refine(isPlainText, `${what} ${plainTextMessage}`);

/** An AG-UI threadId: 1–128 bytes without control characters. */
export const ThreadIdSchema = clientId('threadId');
/** As `ownRunIdOf` makes them (core/ids.ts): a client's run would take the place of one of Standfast's. */
const ownRunId = /^standfast-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-/;
/** An AG-UI runId: 1–128 bytes without control characters, and none that Standfast gives to runs of its own. */
export const RunIdSchema = clientId('runId').refine(
  (text) => !ownRunId.test(text),
  "runId must not be one of Standfast's own runs (standfast-<taskId>-…)",
);
/** An agent's name in the configuration and in every address. */
export const AgentNameSchema = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, 'an agent name is 1–64 characters of a–z, 0–9 and "-"');

/** True for an id an agent may give us: 1–200 bytes, no control characters. */
export function isAcceptableA2aId(id: string): boolean {
  return id.length > 0 && utf8Bytes(id) <= maxA2aIdBytes && noControls.test(id);
}
