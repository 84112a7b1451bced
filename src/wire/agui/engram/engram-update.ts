// The older form of Engram: a change of the agent's state inside a message (`forwardedProps.a2a.engramUpdate`).
import { z } from 'zod';
import { engramExtension } from '../../../contract/engram.ts';
import type { JsonObject } from '../../../contract/json.ts';
import type { NeutralPart } from '../../../contract/turn.ts';

export const EngramUpdateSchema = z.object({
  scope: z.enum(['task', 'context', 'agent'], 'expected task, context or agent').default('task'),
  path: z.string('expected a text').max(500, 'expected at most 500 characters').optional(),
  update: z.json(),
});
export type EngramUpdate = z.infer<typeof EngramUpdateSchema>;

/** What it adds to a message: the change as data and as metadata, and the extension that makes the agent take it. */
export function updateInMessage(update: EngramUpdate | null): {
  parts: NeutralPart[];
  metadata: JsonObject;
  extensions: string[];
} {
  if (update === null) return { parts: [], metadata: {}, extensions: [] };
  const { scope, path, update: value } = update;
  const change: JsonObject = { scope, ...(path === undefined ? {} : { path }), update: value };
  return {
    parts: [{ kind: 'data', data: { type: 'engram', ...change }, metadata: {} }],
    metadata: { engram: change },
    extensions: [engramExtension],
  };
}
