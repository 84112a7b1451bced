// One JSON-RPC message of a client at a gate: what may go on to the server, in a form that can be read in one way only. What is no
// message of the protocol does not go on.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { isObject } from '../base/json.ts';

type Id = string | number;

export type GateMessage =
  | { kind: 'call'; id: Id; name: string; args: JsonObject; givenId: string | null; message: JsonObject }
  /** `method` null: the answer to a request of the server's. `id` null: nothing is answered to it. */
  | { kind: 'other'; id: Id | null; method: string | null; message: JsonObject }
  | { kind: 'unfit'; id: Id | null; code: number; why: string };

const [invalidRequest, unknownMethod, invalidParams] = [-32600, -32601, -32602];
export const internalError = -32603;

/** The answer to a message that failed; `id` undefined: it has none. */
export const failureOf = (id: Json | undefined, code: number, message: string): JsonObject => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message },
});

const methods = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/list',
]);
const notifications = new Set(
  ['cancelled', 'initialized', 'progress', 'roots/list_changed', 'tasks/status'].map((name) => `notifications/${name}`),
);

/** The protocol's extension for tasks, since 2026-07-28, and its methods, each about one task. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';
export type HeldTaskMethod = 'tasks/get' | 'tasks/update' | 'tasks/cancel';
const taskMethods: ReadonlySet<unknown> = new Set<HeldTaskMethod>(['tasks/get', 'tasks/update', 'tasks/cancel']);
const digestChars = 32;
const endOfId = (fingerprint: string): string => `-${fingerprint.slice('sha256:'.length).slice(0, digestChars)}`;

/** The id of a held call: it ends with the fingerprint of gate, tool and arguments, so that no row makes it another's. */
export const callIdOf = (own: string, fingerprint: string): string => `call-${own}${endOfId(fingerprint)}`;

export const isIdOfCall = (callId: string, fingerprint: string): boolean => callId.endsWith(endOfId(fingerprint));

/** What `callIdOf` makes; a task with another id is the server's own. */
const heldId = new RegExp(`^call-[0-9a-f-]{36,40}-[0-9a-f]{${digestChars}}$`, 'u');

/** Whether a message is about the task of a held call, which is the gate's to answer. */
export function isOfHeldTask({ method, params }: JsonObject): boolean {
  const taskId = isObject(params) ? params['taskId'] : undefined;
  return taskMethods.has(method) && typeof taskId === 'string' && heldId.test(taskId);
}

/** Member of a call's `_meta` by which a client names it: the same again is the same call. */
export const callIdKey = 'io.standfast/call';
const maxIdChars = 200;

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

export function readGateMessage(body: unknown): GateMessage {
  const unfit = (code: number, why: string, id: Id | null = null): GateMessage => ({ kind: 'unfit', id, code, why });
  if (Array.isArray(body)) return unfit(invalidRequest, 'several messages at once are not taken: send one at a time');
  if (!isObject(body)) return unfit(invalidRequest, 'expected a message of JSON-RPC');
  const { jsonrpc, id, method, params, result, error } = body;
  const known = isId(id) ? id : null;
  if (jsonrpc !== '2.0') return unfit(invalidRequest, 'expected "jsonrpc": "2.0"', known);
  if (id !== undefined && known === null) return unfit(invalidRequest, 'the id is neither a text nor a number');
  if (method === undefined) {
    const message = answerIn(known, { result, error });
    if (message === null) return unfit(invalidRequest, 'expected a method, or the result or error of a request', known);
    return { kind: 'other', id: null, method: null, message };
  }
  if (typeof method !== 'string') return unfit(invalidRequest, 'the method is not a text', known);
  if (params !== undefined && !isObject(params)) return unfit(invalidParams, 'the params are not an object', known);
  const message = { jsonrpc, ...(known === null ? {} : { id: known }), method, ...(params && { params }) };
  if (method === 'tools/call') return callIn(message, known, params ?? {}, unfit);
  const isFit = known === null ? notifications.has(method) : methods.has(method);
  if (!isFit) return unfit(unknownMethod, `the gate passes no ${method} on`, known);
  return { kind: 'other', id: known, method, message };
}

/** The answer to a request of the server's. */
function answerIn(
  id: Id | null,
  { result, error }: { result: Json | undefined; error: Json | undefined },
): JsonObject | null {
  if (id === null || (result === undefined) === (error === undefined)) return null;
  return { jsonrpc: '2.0', id, ...(result === undefined ? { error: error ?? null } : { result }) };
}

function callIn(
  message: JsonObject,
  id: Id | null,
  params: JsonObject,
  unfit: (code: number, why: string, id?: Id | null) => GateMessage,
): GateMessage {
  const { name, arguments: given, _meta: meta } = params;
  if (id === null) return unfit(invalidRequest, 'a call of a tool has an id');
  if (typeof name !== 'string' || name === '') return unfit(invalidParams, 'the call names no tool', id);
  if (given !== undefined && !isObject(given)) return unfit(invalidParams, 'the arguments are not an object', id);
  const named = isObject(meta) ? meta[callIdKey] : undefined;
  if (named !== undefined && !isCallId(named))
    return unfit(invalidParams, `${callIdKey}: expected a text of at most ${maxIdChars} characters`, id);
  return { kind: 'call', id, name, args: given ?? {}, givenId: named ?? null, message };
}

const isCallId = (value: Json | undefined): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxIdChars;
