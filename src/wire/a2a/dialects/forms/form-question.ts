import { paragraphs } from '../../../../core/base/text.ts';
import { editedArgsField } from '../../../../contract/holds/answer-names.ts';
import type { DialectName, Facts, Question } from '../../../../contract/holds/question.ts';
import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { shortenedText } from '../../../../core/consent/shorten.ts';
import { checkProfile, readProfile } from '../../../../core/questions/form-profile.ts';
import { isSafeKey } from '../../codec/clean.ts';
import { type Detected, type Dialect, maxQuestions, type Pause, titled, messageText } from '../base/dialect.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { refusalValues, yesNoField } from './form-answer.ts';
import { type FormFields, nameOf, readFields } from './form-fields.ts';
import { factsOfArgs, proposedBy } from '../base/facts.ts';
import { secretsOf } from '../base/secret-fields.ts';
import { textSchema } from '../plain/plain.ts';
import { canonicalJson, isObject, objectOf, stringOf } from '../../../../core/base/json.ts';

/*
 * Shared by `a2a.hitl.form` and `a2a.input.request`: each data part of that type is one question. A form with a single
 * yes/no field becomes a confirmation, because "no" answers it too.
 */

export interface FormDialect {
  dialect: DialectName;
  /** The data part's `type`. */
  type: string;
  /** Keys that may hold the form's id, in order of preference. */
  idKeys: readonly string[];
  untitled: string;
  /** True when a form without fields asks for a text; otherwise it only has to be submitted. */
  isTextWithoutFields: boolean;
}

const maxErrors = 200;
const maxErrorBytes = 2000;
const maxToolNameChars = 500;

export const formDialect = (form: FormDialect, writes: Pick<Dialect, 'encode' | 'verdictOnWire'>): Dialect => ({
  name: form.dialect,
  detect: (pause) => detectForms(pause, form),
  ...writes,
  canRefuse: (question) => question.ownDecision !== undefined || refusalValues(question) !== null,
  keyOf: ({ formId }) => (formId === null ? null : { key: formId }),
  takesLists: true,
  // Responses too, which an agent may repeat in its history.
  owns: ({ data }) => stringOf(objectOf(data)['type']).startsWith('a2a.'),
});

function detectForms(pause: Pause, dialect: FormDialect): Detected {
  const forms = (pause.message?.parts ?? []).flatMap((part) =>
    part.kind === 'data' && isObject(part.data) && part.data['type'] === dialect.type ? [part.data] : [],
  );
  if (forms.length === 0) return { result: 'not-in-dialect' };
  if (forms.length > maxQuestions)
    return { result: 'invalid', why: `it holds ${forms.length} forms, and at most ${maxQuestions} fit` };
  const questions: Question[] = [];
  for (const form of forms) {
    const read = readForm(form, messageText(pause.message), dialect);
    // All or nothing: a partial answer would leave the agent waiting.
    if (typeof read === 'string') return { result: 'invalid', why: read };
    questions.push(read);
  }
  return { result: 'ok', questions };
}

/** The question, or the reason why the form cannot be asked. */
export function readForm(form: JsonObject, text: string, dialect: FormDialect): Question | string {
  const id = readId(form, dialect.idKeys);
  if ('why' in id) return id.why;
  const asked = readAsked(form, dialect);
  if (typeof asked === 'string') return asked;
  const { schema, defaults } = asked;
  const properties = objectOf(schema['properties']);
  const tool = readTool(form, properties);
  if (typeof tool === 'string') return tool;
  const name = titled(form['title'], dialect.untitled);
  const message = paragraphs([text, stringOf(form['description']), ...asked.notes]);
  return {
    ...plainFields(),
    dialect: dialect.dialect,
    kind: tool === null ? asked.kind : 'tool_call',
    formId: id.formId,
    ...name,
    message: message === '' ? name.title : message,
    schema,
    defaults,
    form: withoutSecrets(form, properties),
    errors: readErrors(objectOf(form['metadata'])['errors']),
    tool,
    ...(tool === null ? factsOfForm(form, defaults, secretsOf(schema)) : factsOfArgs(form['arguments'])),
    ...readDecisionField(form, properties),
    secrets: secretsOf(schema),
    reply: id.names,
  };
}

interface AskedFor extends FormFields {
  kind: 'text' | 'confirmation' | 'form';
}

/** What the form asks for, and as what kind of question; or the reason why it cannot be asked. */
function readAsked(form: JsonObject, dialect: FormDialect): AskedFor | string {
  const fields = form['fields'] ?? [];
  if (!Array.isArray(fields)) return 'its fields are not a list';
  const given = form['schema'] ?? null;
  const prefilled = objectOf(objectOf(form['metadata'])['values']);
  const read = given === null ? readFields(fields, prefilled) : readSchema(given, prefilled);
  if (typeof read === 'string') return read;
  const isText = dialect.isTextWithoutFields && fields.length === 0 && given === null;
  if (isText) return { kind: 'text', schema: textSchema(), defaults: {}, notes: read.notes };
  const profile = checkProfile(read.schema);
  if (!profile.ok) return profile.why;
  // Unreadable fields count too: a form that asks for more than yes or no is not a confirmation.
  const isYesNo = (given !== null || fields.length === 1) && yesNoField(read.schema) !== null;
  const isEmpty = given === null && Object.keys(objectOf(read.schema['properties'])).length === 0;
  const notes = isEmpty ? [...read.notes, '(The form has no fields: send it to confirm.)'] : read.notes;
  return { ...read, kind: isYesNo ? 'confirmation' : 'form', notes };
}

/** The values that the form proposes as the agent wrote them, where some of them were left out or changed. */
function factsOfForm(form: JsonObject, defaults: JsonObject, secrets: readonly string[]): { facts?: Facts } {
  const fields = Array.isArray(form['fields']) ? form['fields'] : [];
  const properties = Object.entries(objectOf(objectOf(form['schema'])['properties']));
  const sent = [
    proposedBy(fields) ?? {},
    proposedBy(properties.map(([name, property]) => ({ ...objectOf(property), name }))) ?? {},
    objectOf(objectOf(form['metadata'])['values']),
  ].map((one) => omit(one, [...secrets]));
  const isWhole = canonicalJson(Object.assign({}, ...sent)) === canonicalJson(defaults);
  return isWhole ? {} : { facts: { data: () => [defaults, ...sent] } };
}

/** The field that the agent names as the one that decides, where it has it. */
function readDecisionField(form: JsonObject, properties: JsonObject): Pick<Question, 'decisionField'> {
  const named = form['decisionField'] ?? objectOf(form['metadata'])['decisionField'];
  return typeof named === 'string' && Object.hasOwn(properties, named) ? { decisionField: named } : {};
}

/** The agent's own JSON Schema without the defaults of secrets, or the reason why it cannot be asked. */
function readSchema(given: Json, prefilled: JsonObject): FormFields | string {
  if (!isObject(given)) return 'its schema is not an object';
  const profile = readProfile(given);
  if (!profile.ok) return profile.why;
  const { schema } = profile;
  const secrets = secretsOf(schema);
  const properties = Object.entries(objectOf(schema['properties'])).map(([name, property]): [string, Json] =>
    isObject(property) && secrets.includes(name) ? [name, omit(property, ['default'])] : [name, property],
  );
  const proposed = properties.flatMap(([name, property]): [string, Json][] => {
    const value = Object.hasOwn(prefilled, name) ? prefilled[name] : objectOf(property)['default'];
    return value === undefined || secrets.includes(name) ? [] : [[name, value]];
  });
  const named = 'properties' in schema ? { properties: Object.fromEntries(properties) } : {};
  return { schema: { ...schema, ...named }, defaults: Object.fromEntries(proposed), notes: [] };
}

/**
 * The tool call that the form is about, by the agent's call id; name and arguments may be in the announced call only.
 */
function readTool(form: JsonObject, properties: JsonObject): Question['tool'] | string {
  const callId = form['toolCallId'] ?? '';
  if (callId === '') return null;
  if (typeof callId !== 'string' || !isAcceptableA2aId(callId)) return 'its toolCallId is too long or not plain text';
  const { toolName, arguments: args } = form;
  const isEditable = objectOf(properties[editedArgsField])['type'] === 'object';
  const name = stringOf(toolName);
  if (name.length > maxToolNameChars) return `its toolName is longer than ${maxToolNameChars} characters`;
  return { callId, name, args: objectOf(args), isEditable };
}

/** The form's id and the keys it was found under, which the answer repeats. */
function readId(
  form: JsonObject,
  keys: readonly string[],
): { formId: string | null; names: { [key: string]: string } } | { why: string } {
  const names: { [key: string]: string } = {};
  for (const key of keys) {
    const given = form[key] ?? '';
    const id = typeof given === 'number' ? String(given) : given;
    if (typeof id !== 'string') return { why: `its ${key} is not a text` };
    if (id !== '' && !isAcceptableA2aId(id)) return { why: `its ${key} is too long or not plain text` };
    if (id !== '') names[key] = id;
  }
  return { formId: Object.values(names)[0] ?? null, names };
}

/**
 * The form is kept in history and sent to every front end, so secrets that the agent sends back with its errors are
 * removed.
 */
function withoutSecrets(form: JsonObject, properties: JsonObject): JsonObject {
  const secrets = secretsOf({ properties });
  if (secrets.length === 0) return form;
  const isSecret = (name: string | null): boolean => name !== null && secrets.includes(name);
  const fields = Array.isArray(form['fields']) ? form['fields'] : [];
  const metadata = objectOf(form['metadata']);
  const values = Object.entries(objectOf(metadata['values'])).filter(([name]) => !isSecret(name));
  return {
    ...form,
    ...('fields' in form
      ? {
          fields: fields.map((field) =>
            isObject(field) && isSecret(nameOf(field)) ? omit(field, ['default', 'value']) : field,
          ),
        }
      : {}),
    ...('schema' in form ? { schema: { ...objectOf(form['schema']), properties } } : {}),
    ...('metadata' in form ? { metadata: { ...metadata, values: Object.fromEntries(values) } } : {}),
  };
}

function omit(source: JsonObject, keys: string[]): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !keys.includes(key)));
}

/** The agent's validation errors by field; several errors of a field become one text. */
function readErrors(errors: Json | undefined): { [field: string]: string } {
  const read: { [field: string]: string } = {};
  for (const [field, message] of Object.entries(objectOf(errors)).slice(0, maxErrors)) {
    const texts = (Array.isArray(message) ? message : [message]).filter(
      (text): text is string => typeof text === 'string',
    );
    if (isSafeKey(field) && texts.length > 0) read[field] = shortenedText(texts.join('; '), maxErrorBytes);
  }
  return read;
}
