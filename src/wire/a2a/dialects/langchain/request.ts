import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { isSafeKey } from '../../codec/clean.ts';
import { factsOfArgs } from '../base/facts.ts';
import { type Choice, type Decision, isChoice, isUsableName, type Review } from './review.ts';
import { isObject, objectOf, stringOf } from '../../../../core/base/json.ts';

/*
 * How LangChain agents write a request for a review, and how each is answered:
 *
 *   {action_requests: [{name, args, description?}], review_configs: [{action_name, allowed_decisions}]}
 *                                              → {decisions: [{type: approve | edit | reject | respond, …}]}, in that order
 *   {actionRequests: [{name, args, description?}], reviewConfigs: [{actionName, allowedDecisions}]}, of LangChain for JavaScript
 *                                              → the same, with `editedAction` in place of `edited_action`
 *   {type: 'tool_approval', tool_call_id, name, args, description}   → one such decision
 *   {action_request: {action, args}, config: {allow_…}, description} → {type: accept | edit | response | ignore, args}
 *   a list of those                                                  → a list of such answers
 *   {id, value: one of the above, response_schema?}                  → {<id>: its answer}, as LangGraph resumes several
 */

export type Form = 'decisions' | 'camelDecisions' | 'decision' | 'response' | 'responses';

export interface Request {
  form: Form;
  /** LangGraph's id of the request, the key of the resume value; null when the request is the only one. */
  id: string | null;
  reviews: Review[];
}

/** Decodes a review request; null when the data is none, a string with the reason when it cannot be asked. */
export function readRequest(data: Json): Request | string | null {
  const envelope = isObject(data) && typeof data['id'] === 'string' && data['value'] !== undefined ? data : null;
  const value = envelope === null ? data : (envelope['value'] ?? null);
  const id = envelope === null ? null : String(envelope['id']);
  const read = readValue(value, objectOf(envelope?.['response_schema']));
  if (read === null || typeof read === 'string') return read;
  const isUsable = id === null || (isSafeKey(id) && isAcceptableA2aId(id));
  return isUsable ? { ...read, id } : 'the id that it goes by cannot be used';
}

function readValue(value: Json, responseSchema: JsonObject): Omit<Request, 'id'> | string | null {
  if (Array.isArray(value)) {
    if (value.length === 0 || !value.every(isInboxRequest)) return null;
    return asked('responses', value.map(readInboxRequest));
  }
  if (isInboxRequest(value)) return asked('response', [readInboxRequest(value)]);
  if (!isObject(value)) return null;
  if (value['type'] === 'tool_approval' && 'name' in value) {
    return asked('decision', [readToolApproval(value, responseSchema)]);
  }
  const isCamel = value['actionRequests'] !== undefined && value['action_requests'] === undefined;
  const [actions, configs] = isCamel
    ? [value['actionRequests'], value['reviewConfigs']]
    : [value['action_requests'], value['review_configs']];
  if (actions === undefined || configs === undefined) return null;
  if (!Array.isArray(actions) || actions.length === 0) return 'it names no action';
  if (!Array.isArray(configs)) return 'its review_configs are not a list';
  return asked(
    isCamel ? 'camelDecisions' : 'decisions',
    actions.map((action, index) => readAction(action, configs, index)),
  );
}

function asked(form: Form, reviews: (Review | string)[]): Omit<Request, 'id'> | string {
  const wrong = reviews.find((review) => typeof review === 'string');
  return wrong ?? { form, reviews: reviews.filter((review) => typeof review !== 'string') };
}

/** Configurations are matched by action name, and by index too when names repeat. */
function readAction(action: Json, configs: Json[], index: number): Review | string {
  const { name, args, description } = objectOf(action);
  if (!isUsableName(name)) return 'an action has no usable name';
  const isOf = (config: Json | undefined): boolean => {
    const { action_name: snake, actionName: camel } = objectOf(config);
    return (snake ?? camel) === name;
  };
  const config = isOf(configs[index]) ? configs[index] : configs.find(isOf);
  if (config === undefined) return `it does not say what may be decided about "${name.slice(0, 100)}"`;
  const read = objectOf(config);
  const given = read['allowed_decisions'] ?? read['allowedDecisions'];
  const argsSchema = read['args_schema'] ?? read['argsSchema'];
  const allowed = Array.isArray(given) ? given.filter(isChoice) : [];
  if (allowed.length === 0) return `it allows no decision about "${name.slice(0, 100)}"`;
  return reviewOf({ name, args, description, allowed, argsSchema, callId: '' });
}

function readToolApproval(value: JsonObject, responseSchema: JsonObject): Review | string {
  const { name, args, description, tool_call_id: id } = value;
  if (!isUsableName(name)) return 'a call has no usable name';
  const branches = branchesOf(responseSchema);
  const named = branches.map((branch) => typeOf(branch)).filter((type) => type !== null);
  // Without a schema, assume the decisions that every such agent supports.
  const allowed: Choice[] = named.length === 0 ? ['approve', 'edit', 'reject'] : named;
  const edit = branches.find((branch) => typeOf(branch) === 'edit');
  const action = objectOf(objectOf(objectOf(edit)['properties'])['edited_action']);
  const argsSchema = objectOf(action['properties'])['args'];
  return reviewOf({ name, args, description, allowed, argsSchema, callId: stringOf(id) });
}

/** The alternatives of a response schema, with their `$ref`s resolved. */
function branchesOf(schema: JsonObject): JsonObject[] {
  const definitions = objectOf(schema['$defs']);
  const members = [schema['oneOf'], schema['anyOf']].find(Array.isArray) ?? [schema];
  return members.map((member) => resolved(objectOf(member), definitions, 0));
}

const maxDepth = 12;

function resolved(schema: JsonObject, definitions: JsonObject, depth: number): JsonObject {
  if (depth > maxDepth) return {};
  const { $ref: reference } = schema;
  const name = typeof reference === 'string' ? reference.replace('#/$defs/', '') : null;
  const target = name !== null && Object.hasOwn(definitions, name) ? objectOf(definitions[name]) : schema;
  const { $ref: _followed, properties, ...rest } = target;
  if (properties === undefined) return rest;
  const members = Object.entries(objectOf(properties)).map(([key, member]): [string, Json] => [
    key,
    isObject(member) ? resolved(member, definitions, depth + 1) : member,
  ]);
  return { ...rest, properties: Object.fromEntries(members) };
}

function typeOf(branch: JsonObject): Choice | null {
  const type = objectOf(objectOf(branch['properties'])['type']);
  const named = type['const'] ?? (Array.isArray(type['enum']) ? type['enum'][0] : undefined) ?? null;
  return isChoice(named) ? named : null;
}

const isInboxRequest = (value: Json): value is JsonObject =>
  isObject(value) && isObject(value['action_request']) && isObject(value['config']);

const allowances: readonly (readonly [string, Choice])[] = [
  ['allow_accept', 'approve'],
  ['allow_edit', 'edit'],
  ['allow_ignore', 'reject'],
  ['allow_respond', 'respond'],
];

function readInboxRequest(value: JsonObject): Review | string {
  const { action, args } = objectOf(value['action_request']);
  const config = objectOf(value['config']);
  if (!isUsableName(action)) return 'an action has no usable name';
  const allowed = allowances.filter(([key]) => config[key] === true).map(([, choice]) => choice);
  if (allowed.length === 0) return `it allows no answer about "${action.slice(0, 100)}"`;
  return reviewOf({
    name: action,
    args,
    description: value['description'],
    allowed,
    argsSchema: undefined,
    callId: '',
  });
}

function reviewOf(given: {
  name: string;
  args: Json | undefined;
  description: Json | undefined;
  allowed: readonly Choice[];
  argsSchema: Json | undefined;
  callId: string;
}): Review {
  const { name, args, description, allowed, argsSchema = null, callId } = given;
  const isText = typeof description === 'string';
  return {
    name,
    args: objectOf(args),
    ...factsOfArgs(args),
    description: isText ? description : '',
    allowed,
    argsSchema,
    callId,
  };
}

/** Encodes the decisions in the notation of the request. */
export function writeAnswer(form: Form, decisions: Decision[]): Json {
  switch (form) {
    case 'decisions':
      return { decisions: decisions.map((one) => writeDecision(one)) };
    case 'camelDecisions':
      return { decisions: decisions.map((one) => writeDecision(one, 'editedAction')) };
    case 'decision':
      return decisions.map((one) => writeDecision(one))[0] ?? null;
    case 'responses':
      return decisions.map(writeResponse);
    case 'response':
      return decisions.map(writeResponse)[0] ?? null;
    default:
      return form satisfies never;
  }
}

function writeDecision(decision: Decision, edited: 'edited_action' | 'editedAction' = 'edited_action'): JsonObject {
  switch (decision.type) {
    case 'approve':
      return { type: 'approve' };
    case 'edit':
      return { type: 'edit', [edited]: { name: decision.name, args: decision.args } };
    case 'reject':
      return { type: 'reject', ...(decision.message === '' ? {} : { message: decision.message }) };
    case 'respond':
      return { type: 'respond', message: decision.message };
    default:
      return decision satisfies never;
  }
}

function writeResponse(decision: Decision): JsonObject {
  switch (decision.type) {
    case 'approve':
      return { type: 'accept', args: null };
    case 'edit':
      return { type: 'edit', args: { action: decision.name, args: decision.args } };
    case 'reject':
      return { type: 'ignore', args: null };
    case 'respond':
      return { type: 'response', args: decision.message };
    default:
      return decision satisfies never;
  }
}
