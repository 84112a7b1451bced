// The payloads of answers inside a run's body, in every spelling of resume-forms.ts: to change what they carry before it is kept.
import type { Json, JsonObject } from '../../contract/json.ts';
import { isObject } from './state-patch.ts';

/** `interruptId` is null for the spelling that names none. */
export type PayloadChange = (payload: JsonObject, interruptId: string | null) => JsonObject;

function entryWith(entry: Json, change: PayloadChange): Json {
  if (!isObject(entry) || !isObject(entry['payload'])) return entry;
  const { interruptId } = entry;
  return { ...entry, payload: change(entry['payload'], typeof interruptId === 'string' ? interruptId : null) };
}

const entriesWith = (value: Json, change: PayloadChange): Json =>
  Array.isArray(value) ? value.map((entry) => entryWith(entry, change)) : entryWith(value, change);

/** The body with each payload changed; everything else is the same. */
export function changePayloads(body: JsonObject, change: PayloadChange): JsonObject {
  const changed = body['resume'] === undefined ? body : { ...body, resume: entriesWith(body['resume'], change) };
  const props = changed['forwardedProps'];
  if (!isObject(props)) return changed;
  const { a2a, command } = props;
  const bridged =
    isObject(a2a) && a2a['resume'] !== undefined ? { a2a: { ...a2a, resume: entriesWith(a2a['resume'], change) } } : {};
  const commanded =
    isObject(command) && isObject(command['resume'])
      ? { command: { ...command, resume: change(command['resume'], null) } }
      : {};
  return { ...changed, forwardedProps: { ...props, ...bridged, ...commanded } };
}
