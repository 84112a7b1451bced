// Accepted forms of a resume, all normalised to one list:
//   resume: [{interruptId, status, payload?}]          AG-UI 1.0
//   resume: {interruptId, payload}                     the draft before 1.0
//   forwardedProps.a2a.resume: {interruptId, payload}  the A2A bridge of ag-ui #763 (or a list of them)
//   forwardedProps.command.resume: <payload>           LangGraph, for the only open interrupt, or the one named by
//                                                      `command.interruptEvent` (CopilotKit)
//   forwardedProps.command.resume: {<id>: <payload>}   LangGraph, for several interrupts
import type { HoldId, InterruptId } from '../../../contract/base/id-types.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { checkJson, type InputError } from './json-bounds.ts';
import { cutText } from '../model/text.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';

export interface ResumeEntry {
  /** Null means the only open interrupt. */
  /** What the client named: front ends the interrupt, programs often the hold. */
  interruptId: HoldId | InterruptId | null;
  status: 'resolved' | 'cancelled';
  payload: Json;
  /** Reason for cancelling; null when none was given. */
  reason: string | null;
  /** Digest of the question that the answerer saw, if the front end sends it. */
  digest: string | null;
}

type Resume = { ok: true; entries: ResumeEntry[] | null } | { ok: false; errors: InputError[] };

const maxEntries = 100;
const maxReasonLength = 2000;

const textIn = (value: Json | undefined, key: string): string | null => {
  const text = isObject(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : null;
};

/** Parses payloads that are JSON text of an object or boolean, because some front ends stringify their answers. */
export function parsePayload(payload: Json): Json {
  if (typeof payload !== 'string') return payload;
  try {
    const checked = checkJson(JSON.parse(payload));
    return checked.ok && (isObject(checked.json) || typeof checked.json === 'boolean') ? checked.json : payload;
  } catch {
    return payload;
  }
}

type Entry = { ok: true; entry: ResumeEntry } | { ok: false; error: InputError };

function readEntry(value: Json, path: string): Entry {
  const refused = (key: string, message: string): Entry => ({ ok: false, error: { path: `${path}${key}`, message } });
  if (!isObject(value)) return refused('', 'expected an object with interruptId');
  const { interruptId, status = 'resolved', payload = null, metadata } = value;
  if (typeof interruptId !== 'string' || interruptId === '') {
    return refused('.interruptId', 'expected a non-empty text');
  }
  if (status !== 'resolved' && status !== 'cancelled') {
    return refused('.status', 'expected resolved or cancelled');
  }
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    return refused('.metadata', 'expected an object');
  }
  const reason = status === 'cancelled' ? (textIn(metadata, 'reason') ?? textIn(payload, 'reason')) : null;
  const digest = textIn(metadata, 'digest');
  return {
    ok: true,
    entry: { interruptId, status, payload, reason: reason === null ? null : cutText(reason, maxReasonLength), digest },
  };
}

function readList(value: Json, path: string): Resume {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > maxEntries)
    return { ok: false, errors: [{ path, message: `has more than ${maxEntries} entries` }] };
  const read = list.map((entry, i) => readEntry(entry, Array.isArray(value) ? `${path}.${i}` : path));
  const errors = read.flatMap((one) => (one.ok ? [] : [one.error]));
  if (errors.length > 0) return { ok: false, errors };
  const entries = read.flatMap((one) => (one.ok ? [one.entry] : []));
  const seen = new Set<string | null>();
  for (const { interruptId } of entries) {
    if (seen.has(interruptId)) return { ok: false, errors: [{ path, message: `names ${interruptId} more than once` }] };
    seen.add(interruptId);
  }
  return { ok: true, entries: entries.length === 0 ? null : entries };
}

/** The interrupt that a command answers, from its `interruptEvent` (an object or its JSON); null when there is none. */
export function commandTarget(command: JsonObject): string | null {
  const event = parsePayload(command['interruptEvent'] ?? null);
  return textIn(event, 'id');
}

/** As made by `interruptIdOf` (core/base/ids.ts); no form field has such a name. */
const interruptId = /^(?:hitl|input)-.+-\d+$/;

/**
 * The payloads of a command by interrupt id; null when it is a single payload. LangGraph distinguishes them by keys as
 * well.
 */
export function commandMap(command: JsonObject): JsonObject | null {
  if (commandTarget(command) !== null) return null;
  const meant = parsePayload(command['resume'] ?? null);
  if (!isObject(meant)) return null;
  const keys = Object.keys(meant);
  return keys.length > 0 && keys.every((key) => interruptId.test(key)) ? meant : null;
}

/** LangGraph's command: a payload or a map of them; `false` next to an `interruptEvent` is Mastra's cancellation. */
function readCommand(command: JsonObject): Resume {
  const map = commandMap(command);
  if (map !== null) {
    const entries = Object.entries(map).map(([id, payload]) => ({ interruptId: id, payload }));
    return readList(entries, 'forwardedProps.command.resume');
  }
  const payload = command['resume'] ?? null;
  const isCancelled = payload === false && command['interruptEvent'] !== undefined;
  const entry: ResumeEntry = {
    interruptId: commandTarget(command),
    status: isCancelled ? 'cancelled' : 'resolved',
    payload: isCancelled ? null : payload,
    reason: null,
    digest: null,
  };
  return { ok: true, entries: [entry] };
}

const isGiven = (value: Json | undefined): value is Json =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** Whether a list of answers is given that has none in it: a front end's word that it answers nothing. */
export function isResumeEmpty(body: JsonObject): boolean {
  const bridge = objectOf(objectOf(body['forwardedProps'])['a2a']);
  return [body['resume'], bridge['resume']].some((list) => Array.isArray(list) && list.length === 0);
}

/** The resume entries of a run's body; null when it has none. */
export function readResume(body: JsonObject): Resume {
  const props = objectOf(body['forwardedProps']);
  const bridge = objectOf(props['a2a']);
  const command = objectOf(props['command']);
  const spellings: { path: string; read: () => Resume }[] = [];
  const { resume } = body;
  const bridged = bridge['resume'];
  if (isGiven(resume)) spellings.push({ path: 'resume', read: () => readList(resume, 'resume') });
  if (isGiven(bridged)) {
    const path = 'forwardedProps.a2a.resume';
    spellings.push({ path, read: () => readList(bridged, path) });
  }
  if (command['resume'] !== undefined && command['resume'] !== null) {
    spellings.push({ path: 'forwardedProps.command.resume', read: () => readCommand(command) });
  }
  const [first, second] = spellings;
  if (first === undefined) return { ok: true, entries: null };
  if (second !== undefined) {
    return { ok: false, errors: [{ path: second.path, message: `answers are given in ${first.path} already` }] };
  }
  return first.read();
}

/**
 * `resume` in AG-UI 1.0 form (a list with statuses), for validation by its schema; invalid entries are left unchanged.
 */
export function standardResume(resume: Json): Json {
  const list = Array.isArray(resume) ? resume : [resume];
  return list.map((entry) =>
    isObject(entry) && entry['status'] === undefined ? { ...entry, status: 'resolved' } : entry,
  );
}
