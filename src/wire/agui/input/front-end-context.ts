// RunAgentInput.context: what a front end reports of where the person is and what they see. It goes to the agent with the
// run's message, as metadata under one key; nothing of it is shown or kept for later runs.
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { InputError } from './json-bounds.ts';
import { jsonBytes } from '../model/json-bytes.ts';

/** Key of an A2A message's metadata; the value is the list of `{description, value}` as it came. */
const metadataKey = 'agui_context';
/** As much as one answer may have: more belongs into a message, where it is part of the conversation. */
const maxBytes = 256 * 1024;

const entriesIn = (body: JsonObject | null): Json[] => {
  const context = body?.['context'];
  return Array.isArray(context) ? context : [];
};

/** The metadata that a run's body adds to its message; empty without context. */
export function contextMetadata(body: JsonObject | null): JsonObject {
  const entries = entriesIn(body);
  return entries.length === 0 ? {} : { [metadataKey]: entries };
}

export function contextErrors(body: JsonObject): InputError[] {
  const bytes = jsonBytes(entriesIn(body));
  if (bytes <= maxBytes) return [];
  const message = `has ${Math.ceil(bytes / 1024)} KiB; at most ${maxBytes / 1024} KiB go to an agent with a message`;
  return [{ path: 'context', message }];
}
