import type { DialectName, Question } from '../../../../contract/holds/question.ts';
import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { checkProfile } from '../../../../core/questions/form-profile.ts';
import { cutText, isSafeKey } from '../../codec/clean.ts';
import {
  type Detected,
  type Dialect,
  maxQuestions,
  paragraphs,
  type Pause,
  titleOf,
  messageText,
} from '../base/dialect.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { refusalField, yesNoField } from './form-answer.ts';
import { type FormFields, nameOf, readFields } from './form-fields.ts';
import { secretsOf } from '../base/secret-fields.ts';
import { textSchema } from '../plain/plain.ts';
import { isObject, objectOf, stringOf } from '../../../../core/base/json.ts';

/*
 * What `a2a.hitl.form` and `a2a.input.request` have in common: a data part of that type is one question. A form that
 * consists of one yes/no field is a confirmation, since "no" is an answer to it; whatever else it says, its words stay.
 */

export interface FormDialect extends Pick<Question, 'idPrefix' | 'activityType'> {
  dialect: DialectName;
  /** `type` of the data part. */
  type: string;
  /** Names under which the form's id may stand, the better one first. */
  idKeys: readonly string[];
  untitled: string;
  /** A form without fields asks for a text; else it is sent to confirm. */
  isTextWithoutFields: boolean;
}

const maxFormBytes = 64 * 1024;
const maxErrors = 200;
const maxErrorChars = 500;
const maxToolNameChars = 500;

export const formDialect = (form: FormDialect, encode: Dialect['encode']): Dialect => ({
  name: form.dialect,
  detect: (pause) => detectForms(pause, form),
  encode,
  canRefuse: (question) => refusalField(question) !== null,
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
    // All or nothing: an answer to some of the forms would leave the agent waiting for the rest.
    if (typeof read === 'string') return { result: 'invalid', why: read };
    questions.push(read);
  }
  return { result: 'ok', questions };
}

/** The question, or why the form cannot be one. */
function readForm(form: JsonObject, text: string, dialect: FormDialect): Question | string {
  const id = readId(form, dialect.idKeys);
  if ('why' in id) return id.why;
  const fields = form['fields'] ?? [];
  if (!Array.isArray(fields)) return 'its fields are not a list';
  const given = form['schema'] ?? null;
  const isText = dialect.isTextWithoutFields && fields.length === 0 && given === null;
  const metadata = objectOf(form['metadata']);
  const prefilled = objectOf(metadata['values']);
  const read = given === null ? readFields(fields, prefilled) : readSchema(given, prefilled);
  if (read === null) return 'its schema is not an object';
  const schema = isText ? textSchema() : read.schema;
  const profile = checkProfile(schema);
  if (!profile.ok) return profile.why;
  const properties = objectOf(schema['properties']);
  const named = form['decisionField'] ?? metadata['decisionField'];
  const decisionField = typeof named === 'string' && Object.hasOwn(properties, named) ? named : undefined;
  const title = titleOf(form['title'], dialect.untitled);
  const description = stringOf(form['description']);
  const isEmpty = Object.keys(properties).length === 0 && given === null;
  const tool = readTool(form, properties);
  if (typeof tool === 'string') return tool;
  // Fields that cannot be read count: a form that asks for more than a yes or no is no confirmation.
  const isYesNo = (given !== null || fields.length === 1) && yesNoField(schema) !== null;
  const emptyNote = isEmpty ? '(The form has no fields: send it to confirm.)' : '';
  const message = paragraphs([text, description, ...read.notes, emptyNote]);
  return {
    ...plainFields(),
    dialect: dialect.dialect,
    kind: tool !== null ? 'tool_call' : isText ? 'text' : isYesNo ? 'confirmation' : 'form',
    idPrefix: dialect.idPrefix,
    activityType: dialect.activityType,
    formId: id.formId,
    title,
    message: message === '' ? title : message,
    schema,
    defaults: isText ? {} : read.defaults,
    form: Buffer.byteLength(JSON.stringify(form)) <= maxFormBytes ? withoutSecrets(form, properties) : null,
    errors: readErrors(metadata['errors']),
    tool,
    ...(decisionField === undefined ? {} : { decisionField }),
    secrets: secretsOf(schema),
    reply: id.names,
  };
}

/** A schema of the agent's own, used as it is but for proposals of secrets. */
function readSchema(given: Json, prefilled: JsonObject): FormFields | null {
  if (!isObject(given)) return null;
  const type = given['type'] ?? (isObject(given['properties']) ? 'object' : '');
  const secrets = checkProfile({ ...given, type }).ok ? secretsOf(given) : [];
  const properties = Object.entries(objectOf(given['properties'])).map(([name, property]): [string, Json] =>
    isObject(property) && secrets.includes(name) ? [name, omit(property, ['default'])] : [name, property],
  );
  const proposed = properties.flatMap(([name, property]): [string, Json][] => {
    const value = Object.hasOwn(prefilled, name) ? prefilled[name] : objectOf(property)['default'];
    return value === undefined || secrets.includes(name) ? [] : [[name, value]];
  });
  const named = 'properties' in given ? { properties: Object.fromEntries(properties) } : {};
  return { schema: { ...given, type, ...named }, defaults: Object.fromEntries(proposed), notes: [] };
}

/** The call that a form is about, by the id under which the agent announced it; its name and arguments may stand there only. */
function readTool(form: JsonObject, properties: JsonObject): Question['tool'] | string {
  const callId = form['toolCallId'] ?? '';
  if (callId === '') return null;
  if (typeof callId !== 'string' || !isAcceptableA2aId(callId)) return 'its toolCallId is too long or not plain text';
  const { toolName, arguments: args } = form;
  const isEditable = objectOf(properties['editedArgs'])['type'] === 'object';
  const name = typeof toolName === 'string' ? cutText(toolName, maxToolNameChars) : '';
  return { callId, name, args: objectOf(args), isEditable };
}

/** The form's id, and under which names it was given: the answer repeats them. */
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

/** An agent may send a secret back with its errors; the form it wrote goes into history and to every front end. */
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

/** The agent's complaints about an earlier answer, by field; a list of them becomes one text. */
function readErrors(errors: Json | undefined): { [field: string]: string } {
  const read: { [field: string]: string } = {};
  for (const [field, message] of Object.entries(objectOf(errors)).slice(0, maxErrors)) {
    const texts = (Array.isArray(message) ? message : [message]).filter(
      (text): text is string => typeof text === 'string',
    );
    if (isSafeKey(field) && texts.length > 0) read[field] = cutText(texts.join('; '), maxErrorChars);
  }
  return read;
}
