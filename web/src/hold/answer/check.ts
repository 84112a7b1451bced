// Values against a question's schema, without eval: which fields are wrong, and by which keyword.
import { dereference, validate, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { type Dict, dictOf, isDict, listOf } from '../values/dict.ts';
import { fragmentKeys } from '../values/pointer.ts';
import { refTarget } from '../values/schema-walk.ts';
import { isQuickPattern } from './quick-pattern.ts';

/** One thing wrong: where, by which rule, and that rule's value. */
export interface Problem {
  path: string[];
  keyword: string;
  ruleValue: unknown;
}

/** Words that only say "something inside is wrong"; the inside says what. */
const containers = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  'patternProperties',
  '$ref',
  'allOf',
  'if',
  'dependentSchemas',
  'propertyNames',
]);

const lookups = new WeakMap<Dict, { schema: Schema; lookup: Record<string, Schema | boolean> }>();

/** A copy for the checker, which writes into what it reads; patterns that may hang are taken out. */
function prepared(root: Dict): { schema: Schema; lookup: Record<string, Schema | boolean> } {
  const known = lookups.get(root);
  if (known !== undefined) return known;
  const schema: Schema = safe(root);
  const lookup = dereference(schema);
  // Parts of the schema that were copied lost their absolute references: local ones are found by what they say.
  for (const [uri, part] of Object.entries(lookup)) {
    const hash = uri.indexOf('#');
    lookup[hash === -1 ? '#' : uri.slice(hash)] ??= part;
  }
  const made = { schema, lookup };
  lookups.set(root, made);
  return made;
}

function safe(schema: unknown): Schema {
  const copy = (value: unknown, isNames: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item, false));
    if (!isDict(value)) return value;
    const entries = Object.entries(value).filter(([key, item]) => {
      if (isNames) return true;
      if (key === 'pattern') return typeof item === 'string' && isQuickPattern(item) && compiles(item);
      if (key === 'patternProperties')
        return isDict(item) && Object.keys(item).every((one) => isQuickPattern(one) && compiles(one));
      return key !== '$id' && key !== 'id' && key !== '$anchor';
    });
    return Object.fromEntries(
      entries.map(([key, item]) => [
        key,
        data.has(key) && !isNames ? structuredClone(item) : copy(item, !isNames && names.has(key)),
      ]),
    );
  };
  return dictOf(copy(schema, false));
}

const names = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'patternProperties']);
const data = new Set(['default', 'enum', 'const', 'examples', 'required', 'dependentRequired']);

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Null: the schema itself cannot be used here; the server decides alone. */
export function unitsOf(schema: unknown, root: Dict, value: unknown): OutputUnit[] | null {
  if (typeof schema === 'boolean')
    return schema ? [] : [{ instanceLocation: '#', keyword: 'false', keywordLocation: '#', error: '' }];
  try {
    const { schema: whole, lookup } = prepared(root);
    const part: Schema = schema === root ? whole : safe(schema);
    return validate(value ?? null, part, '2020-12', lookup, false).errors;
  } catch {
    return null;
  }
}

/** What is wrong with `values`, at most one problem a place, the deepest first. */
export function problemsOf(schema: Dict, values: unknown): Problem[] {
  const found = new Map<string, Problem>();
  for (const unit of leaves(unitsOf(schema, schema, values) ?? [])) {
    const problem = read(unit, schema);
    const key = JSON.stringify(problem.path);
    if (!found.has(key)) found.set(key, problem);
  }
  return inFieldOrder(schema, [...found.values()]);
}

/** In the order of the form's fields; what belongs to none comes last. */
export function inFieldOrder<T extends { path: readonly string[] }>(schema: Dict, problems: T[]): T[] {
  const order = Object.keys(dictOf(schema['properties']));
  const positionOf = ({ path: [first = ''] }: T): number =>
    order.includes(first) ? order.indexOf(first) : order.length;
  return problems.toSorted((a, b) => positionOf(a) - positionOf(b));
}

/** Alternatives that failed say so as one; what each of them wanted would contradict itself. */
function leaves(units: readonly OutputUnit[]): OutputUnit[] {
  const choices = units
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ keywordLocation }) => `${keywordLocation}/`);
  return units.filter(
    ({ keyword, keywordLocation }) =>
      !containers.has(keyword) && !choices.some((choice) => keywordLocation.startsWith(choice)),
  );
}

function read(unit: OutputUnit, root: Dict): Problem {
  const path = fragmentKeys(unit.instanceLocation);
  if (unit.keyword === 'required' || unit.keyword === 'dependentRequired') {
    const name =
      /property "([\s\S]*)"\.$/u.exec(unit.error)?.[1] ?? /does not have "([\s\S]*)"\.$/u.exec(unit.error)?.[1];
    return { path: name === undefined ? path : [...path, name], keyword: 'required', ruleValue: true };
  }
  return { path, keyword: unit.keyword, ruleValue: keywordAt(root, unit) };
}

/** The rule's own value, found along the keyword's location; references are followed. */
function keywordAt(root: Dict, unit: OutputUnit): unknown {
  let here: unknown = root;
  for (const key of fragmentKeys(unit.keywordLocation)) {
    if (key === '$ref')
      here = typeof dictOf(here)['$ref'] === 'string' ? refTarget(root, String(dictOf(here)['$ref'])) : null;
    else here = Array.isArray(here) ? listOf(here)[Number(key)] : dictOf(here)[key];
  }
  return here;
}
