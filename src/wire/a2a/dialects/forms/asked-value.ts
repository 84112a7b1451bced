// What an agent asks with a value of its own making, wherever its framework puts it: a form where the value is one, or has a
// JSON Schema of what goes back; else words. The answer is the value itself, as the schema has it.
import { paragraphs } from '../../../../core/base/text.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { wordVerdict } from '../../../../core/consent/deciding-field.ts';
import { verdictOf } from '../../../../core/consent/verdict.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { isObject, objectOf, parseJson } from '../../../../core/base/json.ts';
import { describeValue, hasWords } from '../base/described.ts';
import { type Answered, type ReadQuestion, type Titled } from '../base/dialect.ts';
import { objectsIn } from '../base/facts.ts';
import { secretsOf, withoutSecretValues } from '../base/secret-fields.ts';
import { dataIn, textOf, textOrDataSchema, textSchema } from '../plain/plain.ts';
import { refusalValues, yesNoField } from './form-answer.ts';
import { readForm } from './form-question.ts';
import { hitlForm } from './hitl-form.ts';
import { type Shape, shapeOf } from './value-shape.ts';

/** Where an agent puts the JSON Schema of the value it wants, as object or as text. */
const schemaKeys = ['response_schema', 'resumeSchema', 'schema'] as const;
/** Where it puts the words that it takes. */
const choiceKeys = ['options', 'choices'] as const;

type Asked = Omit<ReadQuestion, 'dialect' | 'formId' | 'reply'> & {
  reply: { shape: Shape['kind']; takesData: boolean };
};

/** The question for a value, without its dialect's own keys; `given`: the schema that its framework names, if any. */
export function askedValue(value: Json, otherwise: Titled, given: Json = null): Asked {
  if (isForm(value)) return askedForm(value, otherwise);
  const named = given === null ? schemaIn(value) : { schema: given, rest: value };
  if (named !== null) return askedBy(shapeOf(named.schema), { value, ...named }, otherwise);
  const words = choicesIn(value);
  if (words === null) return askedInWords({ value, rest: value }, otherwise, '');
  const asked = askedBy(words.shape, { value, rest: words.rest, schema: null }, otherwise);
  return { ...asked, kind: 'confirmation', decisionField: 'result', decisionWords: words.words };
}

/** A value as it was sent, and what of it is read: without the schema of its answer. */
interface Sent {
  value: Json;
  rest: Json;
}

function askedBy(shape: Shape, { schema: given, ...sent }: Sent & { schema: Json }, otherwise: Titled): Asked {
  if (shape.kind === 'text') return askedInWords(sent, otherwise, paragraphs([shape.note, unshown(given, shape.note)]));
  const { message, ...title } = describeValue(sent.rest, otherwise);
  const { schema, defaults } = withoutSecretDefaults(shape.schema);
  return {
    ...plainFields(),
    ...title,
    ...factsOf(sent.value),
    kind: yesNoField(schema) === null ? 'form' : 'confirmation',
    message: message === '' ? title.title : message,
    schema,
    defaults,
    secrets: secretsOf(schema),
    reply: { shape: shape.kind, takesData: false },
  };
}

function askedInWords({ value, rest }: Sent, otherwise: Titled, note: string): Asked {
  const { message, ...title } = describeValue(rest, otherwise);
  const takesData = typeof value === 'object' && value !== null;
  return {
    ...plainFields(),
    ...title,
    ...factsOf(value),
    kind: 'text',
    message: paragraphs([message === '' ? title.title : message, note]),
    schema: takesData ? textOrDataSchema() : textSchema(),
    reply: { shape: 'text', takesData },
  };
}

const isForm = (value: Json): value is JsonObject => isObject(value) && value['type'] === hitlForm.type;

/** Rules read all that was sent: the question has most of it in words. */
const factsOf = (value: Json): Pick<ReadQuestion, 'facts'> =>
  typeof value === 'object' && value !== null ? { facts: { data: () => objectsIn([withoutSecretValues(value)]) } } : {};

function askedForm(value: JsonObject, otherwise: Titled): Asked {
  const read = readForm(value, '', hitlForm);
  if (typeof read === 'string') {
    const note = `(The agent's form cannot be shown: ${read}. Answer in words.)`;
    const asked = askedValue(
      { question: value['title'] ?? null, description: value['description'] ?? null },
      otherwise,
    );
    return {
      ...asked,
      message: paragraphs([asked.message, note, unshown(value, note)]),
      schema: textOrDataSchema(),
      ...factsOf(value),
      reply: { shape: 'text', takesData: true },
    };
  }
  const { dialect: _dialect, formId: _id, reply: _names, tool: _tool, facts: _facts, ...question } = read;
  const kind = question.kind === 'tool_call' ? 'form' : question.kind;
  return { ...question, tool: null, kind, ...factsOf(value), reply: { shape: 'object', takesData: false } };
}

/** A form in words, without its secrets, where it cannot be drawn. */
const unshown = (form: Json, note: string): string =>
  form === null || note === '' ? '' : `Its form: ${JSON.stringify(withoutSecretValues(form))}`;

/** The schema that a value names of its answer, and the value without it; null: it has none. */
function schemaIn(value: Json): { key: string; schema: JsonObject; rest: Json } | null {
  if (!isObject(value)) return null;
  for (const key of schemaKeys) {
    const given = value[key];
    const schema = typeof given === 'string' ? parseJson(given) : given;
    if (!isObject(schema) || !isSchema(schema)) continue;
    return { key, schema, rest: Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) };
  }
  return null;
}

/**
 * Whether a value that no framework marks as a question says what is to go back for it: `schema` or a choice of two words alone
 * may describe anything, next to words that ask it is that of the answer.
 */
export const namesItsAnswer = (value: Json): boolean => {
  const named = schemaIn(value);
  if (named !== null) return named.key !== 'schema' || hasWords(named.rest);
  const choices = choicesIn(value);
  return choices !== null && hasWords(choices.rest);
};

/** A JSON Schema of an object, or of a yes or no: other data may be called so, too. */
const isSchema = ({ type, properties, $ref, $defs }: JsonObject): boolean =>
  type === 'object'
    ? isObject(properties)
    : type === 'boolean' || isObject(properties) || ($ref !== undefined && isObject($defs));

/** A value that takes one of two words, one for a yes and one for a no. */
function choicesIn(value: Json): { shape: Shape; words: { yes: string; no: string }; rest: Json } | null {
  for (const key of isObject(value) ? choiceKeys : []) {
    const list = objectOf(value)[key];
    if (!Array.isArray(list) || list.length !== 2) continue;
    const yes = list.find((one) => wordVerdict(one) === 'yes');
    const no = list.find((one) => wordVerdict(one) === 'no');
    if (typeof yes !== 'string' || typeof no !== 'string') continue;
    const schema = { type: 'string', title: 'Answer', enum: [yes, no] };
    const rest = Object.fromEntries(Object.entries(objectOf(value)).filter(([name]) => name !== key));
    return { shape: shapeOf(schema), words: { yes, no }, rest };
  }
  return null;
}

/** A schema's own defaults are what it proposes; those of secrets are kept nowhere. */
function withoutSecretDefaults(schema: JsonObject): { schema: JsonObject; defaults: JsonObject } {
  const secrets = secretsOf(schema);
  const entries = Object.entries(objectOf(schema['properties'])).map(([name, one]): [string, Json] => {
    const { default: _proposed, ...rest } = objectOf(one);
    return [name, secrets.includes(name) ? rest : one];
  });
  const defaults = entries.flatMap(([name, one]): [string, Json][] => {
    const proposed = objectOf(one)['default'];
    return proposed === undefined || secrets.includes(name) ? [] : [[name, proposed]];
  });
  return { schema: { ...schema, properties: Object.fromEntries(entries) }, defaults: Object.fromEntries(defaults) };
}

/** The value that goes back, or why there is none. */
export function valueOf(answered: Answered): { data: Json } | { why: string } {
  const { question, answer } = answered;
  if (question.kind === 'text') {
    const data = dataIn(answered);
    if (data !== undefined) return { data };
    const read = textOf(answered);
    return 'why' in read ? read : { data: read.text };
  }
  const values = answer.status === 'cancelled' ? refusalOf(answered) : answer.values;
  if (values === null) return { why: 'the agent waits for a value, and a refusal is none' };
  return { data: question.reply['shape'] === 'value' ? (values['result'] ?? null) : values };
}

/** The values of a no, with its reason where there is a place for it. */
function refusalOf({ question, answer }: Answered): JsonObject | null {
  const values = refusalValues(question);
  const property = objectOf(objectOf(question.schema['properties'])['reason']);
  return values === null || answer.reason === null || property['type'] !== 'string'
    ? values
    : { ...values, reason: answer.reason };
}

/** Whether a no can be written as a value. */
export const takesRefusal = (question: Answered['question']): boolean =>
  question.kind !== 'text' && refusalValues(question) !== null;

/** What the agent reads in the value that goes back. */
export function verdictOfValue(answered: Answered): Verdict | null {
  const read = valueOf(answered);
  if ('why' in read) return null;
  const { question } = answered;
  if (question.kind === 'text') return 'answered';
  const values = question.reply['shape'] === 'value' ? { result: read.data } : objectOf(read.data);
  return verdictOf(question, { status: 'resolved', values });
}
