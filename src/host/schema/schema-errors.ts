import type { SchemaFault } from './schema-worker.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

/** A validation error: a JSON pointer into the answer, and a message for the person. */
export interface ValueError {
  path: string;
  message: string;
}

const maxErrors = 50;

const describeType: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'a group of fields',
  null: 'empty',
};

const formatWords: Record<string, string> = {
  email: 'an e-mail address',
  date: 'a date such as 2026-03-31',
  time: 'a time such as 09:30:00Z',
  'date-time': 'a date and time such as 2026-03-31T09:30:00Z',
  uri: 'a full web address',
  url: 'a full web address',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  duration: 'an ISO 8601 duration such as PT4H',
};

const shown = (value: unknown, max = 60): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
};
const listed = (values: unknown, max = 12): string => {
  if (!Array.isArray(values)) return shown(values);
  const few = values.slice(0, max).map((value) => shown(value));
  return few.join(', ') + (values.length > max ? ', …' : '');
};
const counted = (count: unknown, one: string, many: string): string => `${shown(count)} ${count === 1 ? one : many}`;
const pointerStep = (key: unknown): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

const bound = (comparison: unknown, limit: unknown): string => {
  switch (comparison) {
    case '>=':
      return `must be at least ${shown(limit)}`;
    case '>':
      return `must be more than ${shown(limit)}`;
    case '<=':
      return `must be at most ${shown(limit)}`;
    default:
      return `must be less than ${shown(limit)}`;
  }
};

type Params = SchemaFault['params'];

const atLeast =
  (one: string, more: string) =>
  ({ limit }: Params): string =>
    `must have at least ${counted(limit, one, more)}`;
const atMost =
  (one: string, more: string) =>
  ({ limit }: Params): string =>
    `must have at most ${counted(limit, one, more)}`;
const inBounds = ({ comparison, limit }: Params): string => bound(comparison, limit);
const required = (): string => 'is required';
const unknownField = (): string => 'is not a field of this form';
const noChoice = (): string => 'does not fit any of the allowed choices';

/** By Ajv's keyword. */
const describeKeyword: Record<string, (params: Params) => string> = {
  required,
  dependentRequired: required,
  type: ({ type }) => {
    const types: unknown[] = [type].flat();
    return `must be ${types.map((one) => describeType[String(one)] ?? String(one)).join(' or ')}`;
  },
  enum: ({ allowedValues }) => `must be one of: ${listed(allowedValues)}`,
  not: () => 'is ruled out, as the question says',
  const: ({ allowedValue }) => `must be ${shown(allowedValue)}`,
  minimum: inBounds,
  maximum: inBounds,
  exclusiveMinimum: inBounds,
  exclusiveMaximum: inBounds,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${shown(multipleOf)}`,
  minLength: (params) => (params['limit'] === 1 ? 'must not be empty' : atLeast('character', 'characters')(params)),
  maxLength: atMost('character', 'characters'),
  minItems: atLeast('entry', 'entries'),
  maxItems: atMost('entry', 'entries'),
  minProperties: atLeast('field', 'fields'),
  maxProperties: atMost('field', 'fields'),
  uniqueItems: () => 'must not have the same entry twice',
  contains: () => 'must have an entry of the expected kind',
  pattern: ({ pattern }) => `must match the pattern ${shown(pattern)}`,
  format: ({ format }) => `must be ${formatWords[String(format)] ?? `a valid ${shown(format)}`}`,
  additionalProperties: unknownField,
  unevaluatedProperties: unknownField,
  propertyNames: unknownField,
  'false schema': unknownField,
  anyOf: noChoice,
  oneOf: noChoice,
};

/** Formats an Ajv error, with the keyword's parameters but never the person's value. */
function describeFault({ keyword, params }: SchemaFault): string {
  const describe = ownEntry(describeKeyword, keyword);
  return describe?.(params) ?? `does not fit the rule "${shown(keyword)}"`;
}

/** Returns the JSON pointer of an error; for a missing or additional property its own, not its parent's. */
function pathOf({ keyword, instancePath, params }: SchemaFault): string {
  const child: unknown =
    keyword === 'required' || keyword === 'dependentRequired'
      ? params['missingProperty']
      : (params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName']);
  return child === undefined ? instancePath : instancePath + pointerStep(child);
}

/**
 * Replaces the errors inside a failed `anyOf` or `oneOf`, which contradict each other, by one that combines the
 * branches ("must be text or a number") or by that of the choice.
 */
function withoutBranches(faults: readonly SchemaFault[]): ValueError[] {
  const choices = faults.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const branchesOf = (choice: SchemaFault): SchemaFault[] =>
    faults.filter(
      (fault) =>
        fault.schemaPath.startsWith(`${choice.schemaPath}/`) && fault.instancePath.startsWith(choice.instancePath),
    );
  const inBranch = new Set(choices.flatMap(branchesOf));
  return faults
    .filter((fault) => !inBranch.has(fault) && fault.keyword !== 'if')
    .map((fault) => {
      // A `null` branch only makes the field optional, so the message is that of the other branch.
      const branches = choices.includes(fault)
        ? branchesOf(fault).filter(({ keyword, params }) => !(keyword === 'type' && params['type'] === 'null'))
        : [];
      const paths = new Set(branches.map(pathOf));
      const text = new Set(branches.map(describeFault));
      const [path] = paths;
      if (path === undefined || paths.size > 1 || text.size > 3)
        return { path: pathOf(fault), message: describeFault(fault) };
      return { path, message: [...text].join(' or ').replaceAll(' or must be ', ' or ') };
    });
}

/** Formats Ajv errors for people: without duplicates, at most 50. */
export function valueErrors(faults: readonly SchemaFault[]): ValueError[] {
  const byText = new Map(withoutBranches(faults).map((error) => [`${error.path}\n${error.message}`, error]));
  return [...byText.values()].slice(0, maxErrors);
}
