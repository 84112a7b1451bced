// What is missing in a small flat answer, without the checker that whole forms need.
import { strings } from '../../i18n/strings.ts';
import { type Dict, dictOf, listOf } from '../values/dict.ts';

/** By field: required and empty, or shorter than it must be; the server checks the rest. */
export function missingIn(schema: Dict, values: Dict): Map<string, string> {
  const missing = new Map<string, string>();
  const check = (part: Dict): void => {
    for (const name of listOf(part['required'])) {
      if (typeof name === 'string' && (values[name] === undefined || values[name] === ''))
        missing.set(name, strings.hold.fillIn);
    }
  };
  check(schema);
  const condition = dictOf(schema['if']);
  if (Object.keys(condition).length > 0) check(dictOf(schema[holds(condition, values) ? 'then' : 'else']));
  return missing;
}

function holds(condition: Dict, values: Dict): boolean {
  return Object.entries(dictOf(condition['properties'])).every(([name, rule]) => {
    const constant = dictOf(rule)['const'];
    return constant === undefined || values[name] === undefined || values[name] === constant;
  });
}
