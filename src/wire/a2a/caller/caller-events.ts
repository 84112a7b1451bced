// Translates the agent's events for the caller by substituting ids. Every Task after the first is sent as the
// difference to what the caller has, so resubscribing never duplicates messages or chunks.
import type { CallerEntry } from '../../../contract/tasks/caller.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { canonicalJson, isObject, objectOf, objectsIn } from '../../../core/base/json.ts';
import { type CallerIds, withMessageIds, withTaskIds, withUpdateIds } from './caller-ids.ts';
import { type CallerView, idOf } from './caller-task.ts';
import { isHeldBack } from './caller-status.ts';

/** A terminal, input-required or auth-required status, withheld until the turn has ended. */
export interface HeldStatus {
  status: JsonObject;
  metadata: JsonObject;
}

interface CallerStep {
  entries: CallerEntry[];
  /** The status to withhold; null releases it (the task is working again); absent when the event has no status. */
  held?: HeldStatus | null;
}

const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/**
 * The log entries that one event of the agent adds to the caller's task; `original` is an A2A 1.0 `StreamResponse` as
 * JSON.
 */
export function callerStep(view: CallerView, original: JsonObject, ids: CallerIds): CallerStep {
  const { task, statusUpdate, artifactUpdate, message } = original;
  if (isObject(message)) return { entries: [toEntry({ message: withMessageIds(message, ids) })] };
  if (isObject(artifactUpdate)) return { entries: [toEntry({ artifactUpdate: withUpdateIds(artifactUpdate, ids) })] };
  if (isObject(statusUpdate)) return statusStep(view, withUpdateIds(statusUpdate, ids));
  return isObject(task) ? taskStep(view, withTaskIds(task, ids), ids) : { entries: [] };
}

const toEntry = (event: JsonObject): CallerEntry => ({ kind: 'event', event });

function statusStep(view: CallerView, update: JsonObject): CallerStep {
  const status = objectOf(update['status']);
  const metadata = objectOf(update['metadata']);
  if (isHeldBack(status)) return { entries: [], held: { status, metadata } };
  const before = objectOf(view.task['status']);
  // A resubscribed stream repeats the current status.
  const isKnown = same(plain(before), plain(status)) && before['timestamp'] === status['timestamp'];
  return { entries: isKnown ? [] : [toEntry({ statusUpdate: update })], held: null };
}

const plain = ({ state, message }: JsonObject): JsonObject => ({ state: state ?? '', message: message ?? null });

function taskStep(view: CallerView, task: JsonObject, ids: CallerIds): CallerStep {
  const status = objectOf(task['status']);
  const isHeld = isHeldBack(status);
  const held = isHeld ? { status, metadata: {} } : null;
  const now = isHeld ? objectOf(view.task['status']) : status;
  if (!view.isBegun) {
    // The caller already has its own messages, under its own ids.
    const messages = objectsIn(task['history']).filter(isAgents);
    const history = [...objectsIn(view.task['history']), ...messages];
    return { entries: [toEntry({ task: { ...task, status: now, history } })], held };
  }
  const fresh = unsentMessages(view, task).map((message): CallerEntry => ({ kind: 'message', message }));
  const artifacts = objectsIn(task['artifacts']).flatMap((artifact) => artifactSteps(view, artifact, ids));
  const isKnown = isHeld || same(plain(objectOf(view.task['status'])), plain(status));
  const update = { taskId: ids.taskId, contextId: ids.contextId, status };
  return { entries: [...fresh, ...artifacts, ...(isKnown ? [] : [toEntry({ statusUpdate: update })])], held };
}

const isAgents = (message: JsonObject): boolean => message['role'] === 'ROLE_AGENT';

/**
 * Agent messages of the Task that its history lacks. That of the status until now comes with those after it, where it is
 * past: by the next status alone it would come after them.
 */
function unsentMessages({ task }: CallerView, whole: JsonObject): JsonObject[] {
  const next = objectOf(objectOf(whole['status'])['message']);
  const known = new Set(['', ...[...objectsIn(task['history']), next].map(idOf)]);
  return objectsIn(whole['history']).filter((message) => isAgents(message) && !known.has(idOf(message)));
}

function artifactSteps({ task }: CallerView, artifact: JsonObject, ids: CallerIds): CallerEntry[] {
  const known = objectsIn(task['artifacts']).find((one) => one['artifactId'] === artifact['artifactId']);
  const names = { taskId: ids.taskId, contextId: ids.contextId };
  const step = (parts: JsonObject[], append: boolean): CallerEntry[] => [
    toEntry({ artifactUpdate: { ...names, artifact: { ...artifact, parts }, append, lastChunk: true } }),
  ];
  const parts = objectsIn(artifact['parts']);
  if (known === undefined) return step(parts, false);
  const [before, after] = [mergeTexts(objectsIn(known['parts'])), mergeTexts(parts)];
  if (same(before, after)) return [];
  const rest = appendedParts(before, after);
  return rest === null ? step(parts, false) : step(rest, true);
}

/** Merges adjacent text parts, because chunk boundaries differ between a stream and a whole Task. */
function mergeTexts(parts: JsonObject[]): JsonObject[] {
  return parts.reduce<JsonObject[]>((all, part) => {
    const last = all.at(-1);
    const isText = typeof part['text'] === 'string' && typeof last?.['text'] === 'string';
    if (!isText || !same({ ...last, text: '' }, { ...part, text: '' })) return [...all, part];
    return [...all.slice(0, -1), { ...part, text: `${String(last['text'])}${String(part['text'])}` }];
  }, []);
}

/** The parts to append to `before` to get `after`; null when `after` does not extend it. */
function appendedParts(before: JsonObject[], after: JsonObject[]): JsonObject[] | null {
  if (after.length < before.length) return null;
  const last = before.length - 1;
  if (!before.slice(0, -1).every((part, index) => same(part, after[index]))) return null;
  const [old, now] = [before[last], after[last]];
  if (old === undefined || now === undefined || same(old, now)) return after.slice(before.length);
  const [had, has] = [old['text'], now['text']];
  if (typeof had !== 'string' || typeof has !== 'string' || !has.startsWith(had)) return null;
  if (!same({ ...old, text: '' }, { ...now, text: '' })) return null;
  return [{ ...now, text: has.slice(had.length) }, ...after.slice(before.length)];
}
