// A tool call against the last one of the same tool that was approved: what is different now.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { HoldId } from '../../contract/base/id-types.ts';
import type { LastCall } from '../../contract/views/precedents.ts';
import type { Decision } from '../../contract/holds/decision.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Question } from '../../contract/holds/question.ts';
import { verdictOf } from '../consent/verdict.ts';
import { canonicalJson } from '../base/json.ts';
import { argsGranted } from '../consent/edited-args.ts';
import { valueAt } from '../base/own-entry.ts';
import { compareArguments, isSameValue } from './compare-arguments.ts';

export interface DecidedCall {
  holdId: HoldId;
  question: Question;
  decision: Pick<Decision, 'by' | 'at' | 'status' | 'values'> | null;
}

const maxDiffers = 100;
/** Values are read at a glance; of a long text the beginning is enough. */
const maxChars = 200;

/** The arguments as `values` grant them, with what is sent next to them. */
function argsOf(question: Question, values: JsonObject = {}): JsonObject {
  const { args, payload } = argsGranted(question, values);
  return { ...args, ...payload };
}

function short(value: unknown): string | number | boolean | null {
  if (value === undefined) return null;
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
    return [{ holdId: one.holdId, by: decision.by, at: decision.at, args: argsOf(one.question, decision.values) }];
  });
  const [last] = past;
  if (last === undefined) return null;
  const rows = compareArguments(last.args, argsOf(question));
  const different = rows.flatMap(({ kind, ...row }) => (kind === 'same' ? [] : [{ ...row, kind }]));
  const differs = different.slice(0, maxDiffers).map(({ path, kind, before, now }) => {
    const equal = past.filter(({ args }) => isSameValue(valueAt(args, path), before));
    const mine = equal.filter((one) => one.by === by).length;
    return { path, kind, before: short(before), now: short(now), times: equal.length, mine };
  });
  const same = rows.length - different.length;
  return { id: last.holdId, at: last.at, by: last.by, approved: past.length, same, differs };
}
