// Rewrites resume payloads inside a run's body, in every form of resume-forms.ts, before the body is stored.
import type { InterruptId } from '../../../contract/base/id-types.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { commandMap, commandTarget, parsePayload } from './resume-forms.ts';
import { isEqual } from '../../../core/agui/patch.ts';
import { isObject } from '../../../core/base/json.ts';

/** `interruptId` is null for the form that names none. */
type PayloadChange = (payload: JsonObject, interruptId: InterruptId | null) => JsonObject;

/** Applies the change to a payload that is an object or its JSON text; unchanged text stays text. */
function payloadWith(payload: Json, interruptId: InterruptId | null, change: PayloadChange): Json {
  const meant = parsePayload(payload);
  if (!isObject(meant)) return payload;
  const changed = change(meant, interruptId);
  return isEqual(changed, meant) ? payload : changed;
}

function entryWith(entry: Json, change: PayloadChange): Json {
  if (!isObject(entry) || entry['payload'] === undefined) return entry;
  const { interruptId, payload } = entry;
  return { ...entry, payload: payloadWith(payload, typeof interruptId === 'string' ? interruptId : null, change) };
}

const entriesWith = (value: Json, change: PayloadChange): Json =>
  Array.isArray(value) ? value.map((entry) => entryWith(entry, change)) : entryWith(value, change);

function commandWith(command: JsonObject, change: PayloadChange): Json {
  const map = commandMap(command);
  if (map === null) return payloadWith(command['resume'] ?? null, commandTarget(command), change);
  const changed = Object.entries(map).map(([id, payload]): [string, Json] => [id, payloadWith(payload, id, change)]);
  return Object.fromEntries(changed);
}

/** The body with every payload changed and nothing else. */
export function changePayloads(body: JsonObject, change: PayloadChange): JsonObject {
  const changed = body['resume'] === undefined ? body : { ...body, resume: entriesWith(body['resume'], change) };
  const props = changed['forwardedProps'];
  if (!isObject(props)) return changed;
  const { a2a, command } = props;
  const bridged =
    isObject(a2a) && a2a['resume'] !== undefined ? { a2a: { ...a2a, resume: entriesWith(a2a['resume'], change) } } : {};
  const commanded =
    isObject(command) && command['resume'] !== undefined
      ? { command: { ...command, resume: commandWith(command, change) } }
      : {};
  return { ...changed, forwardedProps: { ...props, ...bridged, ...commanded } };
}
