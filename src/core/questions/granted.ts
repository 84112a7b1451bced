// What is left of a question to show next to its headline: what a yes granted, and what its form still asks for.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { isScalar, type TellingValue, type Valued, valuesOf } from '../consent/telling-values.ts';
import { decidesOf } from '../consent/verdict.ts';
import { canonicalJson, objectOf } from '../base/json.ts';
import { argsGranted } from '../consent/edited-args.ts';

/** The question as a yes granted it: with the arguments as they were edited, or the form as it was filled in. */
function granted<T extends Valued>(asked: T, values: JsonObject): T {
  const { tool, defaults } = asked;
  if (tool === null) return { ...asked, defaults: { ...defaults, ...values } };
  const { args, payload } = argsGranted(asked, values);
  return { ...asked, tool: { ...tool, args }, defaults: { ...defaults, [editedArgsField]: payload ?? args } };
}

/** What a yes granted, and whether anything but the decision itself had been proposed otherwise. */
export function grantedOf(
  asked: Valued,
  values: JsonObject,
  decisionField: string | null = null,
): { values: TellingValue[]; changed: boolean } {
  const now = granted(asked, values);
  const proposed = asked.tool === null ? asked.defaults : granted(asked, {}).defaults;
  const names = Object.keys(proposed).filter((name) => name !== decisionField && !asked.secrets.includes(name));
  const isSame = (name: string): boolean =>
    canonicalJson(proposed[name] ?? null) === canonicalJson(now.defaults[name] ?? null);
  return { values: valuesOf(now), changed: !names.every(isSame) };
}

/** Fields of a form that must be filled in and that the agent has left empty: of one that a yes answers, for the yes. */
export function requiredLeft(asked: Valued & Pick<Question, 'schema' | 'decisionField'>): number {
  const { kind, schema, defaults } = asked;
  if (kind !== 'form') return 0;
  const decides = decidesOf(asked);
  const required = new Set(namesIn(schema['required']));
  if (decides !== null) {
    for (const rule of [schema, ...listOf(schema['allOf'])].map(objectOf))
      if (isMet(objectOf(rule['if']), { [decides.field]: decides.yes }))
        for (const name of namesIn(objectOf(rule['then'])['required'])) required.add(name);
    // It is the two buttons.
    required.delete(decides.field);
  }
  return [...required].filter((name) => !isScalar(defaults[name])).length;
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

const namesIn = (value: Json | undefined): string[] => listOf(value).filter((name) => typeof name === 'string');

/** Whether a rule's condition asks for these values and no others. */
function isMet(condition: JsonObject, values: JsonObject): boolean {
  const asked = Object.entries(objectOf(condition['properties']));
  return asked.length > 0 && asked.every(([name, property]) => objectOf(property)['const'] === values[name]);
}
