// The thread in which foreign schemas are compiled and applied. It may be killed at any moment: it keeps nothing.
import { parentPort } from 'node:worker_threads';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { isAnnotation } from '../../core/questions/form-profile.ts';
import { errorText } from '../process/errno.ts';

/** One piece of work; JSON as text, so that a deep value costs the main thread no recursion. */
export interface SchemaJob {
  id: number;
  schema: string;
  values: string;
}

/** One failure as Ajv words it, without the value it is about. */
export type SchemaFault = Pick<ErrorObject, 'keyword' | 'instancePath' | 'schemaPath' | 'params'>;

export type SchemaReport =
  | { kind: 'ready' }
  | { kind: 'compiled'; id: number }
  | { kind: 'done'; id: number; faults: SchemaFault[] }
  | { kind: 'unusable'; id: number; why: string };

/** More than a person will read, fewer than would be costly to hand over. */
const maxFaults = 500;
const keptValidators = 20;

// Linear time whatever the pattern. Ajv tells compiled patterns apart by toString(): without one of its own all
// patterns of a schema would be the same, and a wrong value would pass.
const linearRegExp = Object.assign(
  (pattern: string, flags: string): { test: (text: string) => boolean; toString: () => string } => {
    const compiled = RE2JS.compile(pattern);
    // `pattern` in JSON Schema is unanchored: find anywhere, not match as a whole.
    return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/${flags}` };
  },
  { code: 're2' },
);

interface Remarks {
  formats: Set<string>;
  annotations: Set<string>;
}

/** Formats and annotations named anywhere in the schema: Ajv refuses those it does not know. */
function remarksOf(schema: unknown, found: Remarks = { formats: new Set(), annotations: new Set() }): Remarks {
  if (Array.isArray(schema)) for (const item of schema) remarksOf(item, found);
  else if (typeof schema === 'object' && schema !== null) {
    for (const [key, value] of Object.entries(schema)) {
      if (isAnnotation(key)) found.annotations.add(key);
      if (key === 'format' && typeof value === 'string') found.formats.add(value);
      else remarksOf(value, found);
    }
  }
  return found;
}

function compile(text: string): ValidateFunction {
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error('it is not an object');
  // We read every schema as 2020-12, whatever dialect it names; its own `$id` would only let it pose as another one.
  const { $schema: _dialect, $id: _id, ...own } = Object.fromEntries(Object.entries(schema));
  // Each schema gets an instance of its own: ids inside one can never reach another's.
  const ajv = new Ajv2020({
    strict: true,
    // Matters of taste that honest forms offend against; none lets a wrong value pass.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allErrors: true,
    logger: false,
    code: { regExp: linearRegExp },
  });
  addFormats.default(ajv);
  // An unknown format is a remark, not a rule (2020-12, format-annotation).
  const { formats, annotations } = remarksOf(own);
  ajv.addVocabulary([...annotations]);
  for (const format of formats) if (!Object.hasOwn(ajv.formats, format)) ajv.addFormat(format, true);
  const validate = ajv.compile(own);
  // `$async` makes Ajv answer with a promise, which is truthy: every value would pass.
  if ('$async' in validate) throw new Error('"$async" is not supported');
  return validate;
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(text: string): ValidateFunction {
  const known = validators.get(text);
  const validate = known ?? compile(text);
  validators.delete(text);
  validators.set(text, validate);
  for (const oldest of validators.keys()) {
    if (validators.size <= keptValidators) break;
    validators.delete(oldest);
  }
  return validate;
}

function run(job: SchemaJob, report: (message: SchemaReport) => void): void {
  try {
    const validate = validatorOf(job.schema);
    report({ kind: 'compiled', id: job.id });
    const isValid: unknown = validate(JSON.parse(job.values));
    const faults = isValid === true ? [] : (validate.errors ?? []);
    if (isValid !== true && faults.length === 0) throw new Error('it gave no verdict');
    report({
      kind: 'done',
      id: job.id,
      faults: faults
        .slice(0, maxFaults)
        .map(({ keyword, instancePath, schemaPath, params }) => ({ keyword, instancePath, schemaPath, params })),
    });
  } catch (error) {
    report({ kind: 'unusable', id: job.id, why: errorText(error) });
  }
}

const port = parentPort;
if (port) {
  const report = (message: SchemaReport): void => port.postMessage(message);
  port.on('message', (job: SchemaJob) => run(job, report));
  // The first schema costs ten times the second: pay for it before anyone waits.
  run(
    { id: 0, schema: '{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}}}', values: '{"a":"a"}' },
    () => {},
  );
  report({ kind: 'ready' });
}
