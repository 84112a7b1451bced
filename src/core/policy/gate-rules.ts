// What becomes of a tool call at a gate: by its tool, its arguments, and what the server says of the tool. Values are compared; what
// cannot be judged never passes.
import type { JsonObject } from '../../contract/base/json.ts';
import type { Gate, GateRule } from '../../contract/configuration/gate.ts';
import { objectOf } from '../base/json.ts';
import { isExactlyLike, matchOf, readMatcher, type Match } from './matcher.ts';

/** A tool as its server lists it. */
export interface ListedTool {
  name: string;
  annotations: JsonObject;
}

export type CallVerdict =
  | { do: 'pass' }
  /** `rule`: its number from 1; null: no rule matches. */
  | { do: 'ask'; policy: string; rule: number | null }
  | { do: 'refuse'; why: string };

type Rules = Pick<Gate, 'rules' | 'policy'>;

const namesOf = ({ tool }: GateRule): string[] => (tool === undefined ? ['*'] : [tool].flat());

export const isOfTool = (rule: GateRule, name: string): boolean =>
  namesOf(rule).some((pattern) => isExactlyLike(pattern, name));

/** True for a rule that lets calls pass by the server's word alone: it names no tool in full. */
export const passesByHints = (rule: GateRule): boolean =>
  rule.then === 'pass' && rule.hints !== undefined && namesOf(rule).some((name) => name.includes('*'));

/** What the protocol assumes where the server says nothing. */
const unsaid = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const hintNames = {
  readOnly: 'readOnlyHint',
  destructive: 'destructiveHint',
  idempotent: 'idempotentHint',
  openWorld: 'openWorldHint',
} as const;

/** A hint of the server's, as the protocol reads it. */
export function hintOf(annotations: JsonObject, hint: keyof typeof hintNames): boolean {
  const name = hintNames[hint];
  const given = annotations[name];
  return typeof given === 'boolean' ? given : unsaid[name];
}

function isHinted({ hints }: GateRule, annotations: JsonObject): boolean {
  return Object.entries(hints ?? {}).every(
    // Safe: the schema has these names alone.
    ([name, wanted]) => wanted === undefined || hintOf(annotations, name as keyof typeof hintNames) === wanted,
  );
}

function matchOfData({ data }: GateRule, args: JsonObject): Match {
  if (data === undefined) return 'yes';
  const read = readMatcher({ data });
  return read.ok ? matchOf(read.matcher, { kind: null, dialects: null, title: null, data: [args] }) : 'unread';
}

/** The first rule that matches; what cannot be compared matches no rule that lets it pass, and each other. */
export function judgeCall({ rules, policy }: Rules, tool: ListedTool, args: JsonObject): CallVerdict {
  for (const [at, rule] of rules.entries()) {
    if (!isOfTool(rule, tool.name) || !isHinted(rule, tool.annotations)) continue;
    const match = matchOfData(rule, args);
    if (match === 'no' || (match === 'unread' && rule.then === 'pass')) continue;
    if (rule.then === 'pass') return { do: 'pass' };
    if (rule.then === 'refuse') return { do: 'refuse', why: `rule ${at + 1} of the gate refuses it` };
    return { do: 'ask', policy: rule.then.ask, rule: at + 1 };
  }
  if (policy !== undefined) return { do: 'ask', policy, rule: null };
  return { do: 'refuse', why: 'no rule of the gate names it, and the gate has no policy to ask by' };
}

/** All policies that calls may come under. */
export const policiesOfGate = ({ rules, policy }: Rules): string[] => [
  ...(policy === undefined ? [] : [policy]),
  ...rules.flatMap(({ then }) => (typeof then === 'object' ? [then.ask] : [])),
];

/** The annotations of a listed tool. */
export const annotationsOf = (definition: JsonObject): JsonObject => objectOf(definition['annotations']);

/** The server says that the same call twice does no more than once. */
export function isRepeatable(definition: JsonObject): boolean {
  const annotations = annotationsOf(definition);
  return hintOf(annotations, 'readOnly') || hintOf(annotations, 'idempotent');
}
