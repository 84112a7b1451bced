import { z } from 'zod';
import { ConfigSchema } from '../contract/configuration/config.ts';
import { type ConfigSource, type Path, type SourceProblem, pathText } from './config-source.ts';

type Issue = z.core.$ZodIssue;

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
}

/** The keys that the schema knows at a path. */
function knownKeys(path: Path): string[] {
  let node: SchemaNode | undefined = z.toJSONSchema(ConfigSchema, {
    io: 'input',
    unrepresentable: 'any',
  }) as SchemaNode;
  for (const step of path) {
    if (typeof step === 'number') node = node?.items;
    else {
      const rest: SchemaNode | boolean | undefined = node?.additionalProperties;
      node = node?.properties?.[step] ?? (typeof rest === 'object' ? rest : undefined);
    }
  }
  return Object.keys(node?.properties ?? {});
}

/** Levenshtein distance of two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const describeType: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
};

/** The value found, as text; strings are quoted only if `isQuotable`, since they may be secrets. */
function describeFound(value: unknown, isQuotable: boolean): string {
  if (value === null) return 'nothing';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (!isQuotable) return 'another value';
  // YAML's `.nan` and `.inf` are numbers that JSON does not have.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The schema's own message about a value of the wrong type. */
const schemaMessage = (issue: Issue): string | null => (issue.message.startsWith('expected ') ? issue.message : null);

function describeLength(origin: string, limit: 'least' | 'most', bound: number | bigint): string | null {
  if (origin === 'number' || origin === 'int') return `expected at ${limit} ${bound}`;
  const isOne = Number(bound) === 1;
  if (origin === 'array') return `expected at ${limit} ${bound} ${isOne ? 'entry' : 'entries'}`;
  return origin === 'string' ? `expected at ${limit} ${bound} ${isOne ? 'character' : 'characters'}` : null;
}

function expectedWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return schemaMessage(issue) ?? `expected ${describeType[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return schemaMessage(issue) ?? describeLength(issue.origin, 'least', issue.minimum) ?? issue.message;
    case 'too_big':
      return schemaMessage(issue) ?? describeLength(issue.origin, 'most', issue.maximum) ?? issue.message;
    case 'invalid_key':
      return issue.issues.map(({ message }) => message).join('; ');
    default:
      return issue.message
        .replace(/^Invalid input: /, '')
        .replace(
          /^Invalid discriminator value. Expected (.*)$/,
          (_, values: string) => `expected one of ${values.replaceAll("'", '').replaceAll(' |', ',')}`,
        );
  }
}

export function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** What of keys, sign-in and channels is no secret. */
const openNames = new Set<unknown>(
  'type expires issuer kind user id roles maxIdle maxSession events on show format subject giveUpAfter'.split(' '),
);

/** Channel addresses contain passwords, or are secrets themselves. */
const isSecretPath = (path: Path): boolean =>
  !openNames.has(path.findLast((step) => typeof step === 'string')) &&
  (path[0] === 'auth' ||
    path[0] === 'notifications' ||
    ['headers', 'env', 'oauth2'].some((name) => path.includes(name)));

function unknownKey(path: Path, key: string, source: ConfigSource): SourceProblem {
  const at = { ...source.locationOfKey(path, key), path: pathText([...path, key]) };
  const keys = knownKeys(path);
  const near = keys.map((known) => ({ known, by: distance(key, known) })).toSorted((a, b) => a.by - b.by)[0];
  const hint = near && near.by <= 2 ? `; did you mean "${near.known}"?` : '';
  const expected = keys.length > 0 ? `, expected one of ${keys.join(', ')}` : '';
  return { ...at, message: `unknown key "${key}"${hint === '' ? expected : hint}` };
}

/** Of a value with several shapes the issues of the shape that was meant: a mapping as a mapping, all else as its first other shape. */
function meantIssues(issue: Issue, value: unknown): readonly Issue[] | null {
  if (issue.code !== 'invalid_union' || schemaMessage(issue) !== null) return null;
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  const isMeant = (issues: readonly Issue[]): boolean =>
    !issues.some(
      (one) => one.path.length === 0 && one.code === 'invalid_type' && (isMapping || one.expected === 'object'),
    );
  return issue.errors.find(isMeant) ?? null;
}

/** A schema issue as problems for people: what was found, what is expected, and where. */
export function issueProblems(issue: Issue, source: ConfigSource): SourceProblem[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, source));
  const meant = meantIssues(issue, valueAt(source.data, path));
  if (meant !== null)
    return meant.flatMap((one) => issueProblems({ ...one, path: [...issue.path, ...one.path] }, source));
  const parent = path.slice(0, -1);
  const name = String(path.at(-1));
  const text = pathText(path);
  if (issue.code === 'invalid_key') {
    return [
      {
        ...source.locationOfKey(parent, name),
        path: text,
        message: `found the name "${name}": ${expectedWords(issue)}`,
      },
    ];
  }
  const value = valueAt(source.data, path);
  if (value === undefined && path.length > 0) {
    return [{ ...source.locationOf(path), path: text, message: `"${name}" is missing: ${expectedWords(issue)}` }];
  }
  // A rule over several keys has no single value to show.
  const isWhole = typeof value === 'object' && value !== null && issue.code === 'custom';
  const found = describeFound(value, !isSecretPath(path) && !source.isSubstituted(path));
  const message = isWhole ? expectedWords(issue) : `found ${found}: ${expectedWords(issue)}`;
  return [{ ...source.locationOf(path), path: text, message }];
}
