// A tool call against the last one of the same tool that was approved: what is different now.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { HoldId } from '../../contract/base/id-types.ts';
import type { LastCall } from '../../contract/views/precedents.ts';
import type { Decision } from '../../contract/holds/decision.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { Question } from '../../contract/holds/question.ts';
import { verdictOf } from '../answers/yes-no.ts';
import { canonicalJson, isObject, objectOf } from '../base/json.ts';

export interface DecidedCall {
  holdId: HoldId;
  question: Question;
  decision: Pick<Decision, 'by' | 'at' | 'status' | 'values'> | null;
}

/** As deep as the pages show arguments: what lies deeper is compared as one value. */
const maxDepth = 3;
const maxDiffers = 100;
/** What it was is read at a glance; of a long text the beginning is enough. */
const maxChars = 200;

type Leaves = Map<string, { path: string[]; value: Json }>;

function leavesOf(args: JsonObject): Leaves {
  const leaves: Leaves = new Map();
  const walk = (value: JsonObject, above: string[]): void => {
    for (const [name, item] of Object.entries(value)) {
      const path = [...above, name];
      if (isObject(item) && path.length < maxDepth && Object.keys(item).length > 0) walk(item, path);
      else leaves.set(JSON.stringify(path), { path, value: item });
    }
  };
  walk(args, []);
  return leaves;
}

/** The arguments as they were asked for, and as `values` changed them. */
const argsOf = ({ tool, defaults }: Question, values: JsonObject = {}): JsonObject => ({
  ...tool?.args,
  ...objectOf(defaults[editedArgsField]),
  ...objectOf(values[editedArgsField]),
});

function short(value: Json): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}

/** `decided` is latest first; `by` is who reads. */
export function lastCall(question: Question, decided: readonly DecidedCall[], by: string): LastCall | null {
  const name = question.tool?.name;
  if (name === undefined || name === '' || question.secrets.includes(editedArgsField)) return null;
  const past = decided.flatMap((one) => {
    const { decision } = one;
    const isSame = one.question.tool?.name === name && !one.question.secrets.includes(editedArgsField);
    if (!isSame || decision === null || verdictOf(one.question, decision) !== 'yes') return [];
    return [
      { holdId: one.holdId, by: decision.by, at: decision.at, leaves: leavesOf(argsOf(one.question, decision.values)) },
    ];
  });
  const [last] = past;
  if (last === undefined) return null;
  const now = leavesOf(argsOf(question));
  const keys = [...new Set([...now.keys(), ...last.leaves.keys()])];
  const textAt = (leaves: Leaves, key: string): string | null => {
    const leaf = leaves.get(key);
    return leaf === undefined ? null : canonicalJson(leaf.value);
  };
  const different = keys.filter((key) => textAt(now, key) !== textAt(last.leaves, key));
  const differs = different.slice(0, maxDiffers).map((key) => {
    const was = last.leaves.get(key);
    const equal = past.filter(({ leaves }) => textAt(leaves, key) === textAt(last.leaves, key));
    return {
      path: (now.get(key) ?? was)?.path ?? [],
      was: was === undefined ? null : short(was.value),
      isGone: !now.has(key),
      times: equal.length,
      mine: equal.filter((one) => one.by === by).length,
    };
  });
  const same = keys.length - different.length;
  return { id: last.holdId, at: last.at, by: last.by, approved: past.length, same, differs };
}
