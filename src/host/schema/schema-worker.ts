// Worker thread that compiles and applies untrusted schemas; stateless, since it may be terminated at any time.
import { parentPort } from 'node:worker_threads';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { isObject, parseJson } from '../../core/base/json.ts';
import { withoutAnnotations } from '../../core/questions/schema-words.ts';
import { errorText } from '../process/errno.ts';

/** One job; JSON is passed as text, since cloning a deep value would recurse in the main thread. */
export interface SchemaJob {
  id: number;
  schema: string;
  values: string;
}

/** An Ajv error without the value. */
export type SchemaFault = Pick<ErrorObject, 'keyword' | 'instancePath' | 'schemaPath' | 'params'>;

export type SchemaReport =
  | { kind: 'ready' }
  | { kind: 'compiled'; id: number }
  | { kind: 'done'; id: number; faults: SchemaFault[] }
  | { kind: 'unusable'; id: number; why: string };

/** Bounds the cost of passing errors between threads. */
const maxFaults = 500;
const keptValidators = 20;

// RE2 runs in linear time for any pattern. Ajv caches patterns by toString(), so without an own one all patterns of a
// schema would be treated as the same.
const linearRegExp = Object.assign(
  (pattern: string, flags: string): { test: (text: string) => boolean; toString: () => string } => {
    const compiled = RE2JS.compile(pattern);
    // `pattern` in JSON Schema is unanchored.
    return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/${flags}` };
  },
  { code: 're2' },
);

/** Formats that a schema names, since Ajv rejects unknown ones. */
function formatsOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) for (const item of schema) formatsOf(item, found);
  else if (typeof schema === 'object' && schema !== null) {
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'format' && typeof value === 'string') found.add(value);
      else formatsOf(value, found);
    }
  }
  return found;
}

/** Every schema gets an instance of its own, so that ids cannot refer to another schema. */
function newAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    // Style checks that valid forms violate.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allErrors: true,
    logger: false,
    code: { regExp: linearRegExp },
    ...options,
  });
  addFormats.default(ajv);
  return ajv;
}

// To check a schema against the meta-schema is cheap; to compile the meta-schema for each takes twenty times as long.
const metaSchema = newAjv();

function compile(text: string): ValidateFunction {
  const schema = parseJson(text);
  if (!isObject(schema)) throw new Error('it is not an object');
  // Every schema is read as 2020-12, and without `$id`, by which it could replace another.
  const { $schema: _dialect, $id: _id, ...named } = schema;
  const own = withoutAnnotations(named);
  if (metaSchema.validateSchema(own) !== true) throw new Error(`schema is invalid: ${metaSchema.errorsText()}`);
  const ajv = newAjv({ validateSchema: false });
  // Unknown formats are annotations (JSON Schema 2020-12, format-annotation).
  for (const format of formatsOf(own)) if (!Object.hasOwn(ajv.formats, format)) ajv.addFormat(format, true);
  const validate = ajv.compile(own);
  // With `$async` Ajv returns a promise, which is truthy, so every value would pass.
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
  // The first schema takes ten times as long as the second, so warm up at start.
  run(
    { id: 0, schema: '{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}}}', values: '{"a":"a"}' },
    () => {},
  );
  report({ kind: 'ready' });
}
