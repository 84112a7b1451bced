// What a person has typed and not sent: kept without secrets, and carried into a question that is asked again.
import { draftReasonKey } from '../../../../src/contract/holds/answer-names.ts';
import { type Dict, dictOf, isDict, listOf } from '../values/dict.ts';
import { labelOf } from '../values/humanise.ts';
import { pointerPart } from '../values/pointer.ts';
import { typeOf } from '../values/schema-walk.ts';
import { formatValue } from '../values/value-diff.ts';
import type { Dropped } from '../pane/work.ts';

/** Next to the values of the answer, under a name that no field of a question has: an answer as JSON that is not JSON yet, as it was typed. */
export const textKey = '$text';

export function withoutSecrets(values: Dict, secretPaths: readonly string[]): Dict {
  const secret = (pointer: string, value: unknown): unknown => {
    if (secretPaths.includes(pointer)) return undefined;
    if (Array.isArray(value)) return value.map((item, index) => secret(`${pointer}/${index}`, item) ?? null);
    if (!isDict(value)) return value;
    const kept = Object.entries(value).map(([key, item]): [string, unknown] => {
      return [key, secret(`${pointer}/${pointerPart(key)}`, item)];
    });
    return Object.fromEntries(kept.filter(([, item]) => item !== undefined));
  };
  return dictOf(secret('', values));
}

/** A draft of the old question in the new one: fields that still exist and fit keep their values, the rest is listed. */
export function carryOver(draft: Dict, oldSchema: Dict, newSchema: Dict): { kept: Dict; dropped: Dropped[] } {
  const kept: Dict = {};
  const dropped: Dropped[] = [];
  const [olds, news] = [dictOf(oldSchema['properties']), dictOf(newSchema['properties'])];
  for (const [name, value] of Object.entries(draft)) {
    if (value === undefined) continue;
    if (name === draftReasonKey || name === textKey || fits(news[name], value)) kept[name] = value;
    else dropped.push({ label: labelOf(name, olds[name]), text: formatValue(value) });
  }
  return { kept, dropped };
}

/** Loosely: the right kind of value, and one of the choices. Whether it is valid is seen when it is sent. */
function fits(schema: unknown, value: unknown): boolean {
  if (!isDict(schema)) return false;
  const choices = listOf(schema['enum']);
  if (choices.length > 0 && !choices.includes(value)) return false;
  const constants = listOf(schema['oneOf']).flatMap((one) => (isDict(one) && 'const' in one ? [one['const']] : []));
  if (constants.length > 0 && !constants.includes(value)) return false;
  switch (typeOf(schema)) {
    case 'string':
      return typeof value === 'string';
    case 'number':
    case 'integer':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isDict(value);
    default:
      return true;
  }
}
