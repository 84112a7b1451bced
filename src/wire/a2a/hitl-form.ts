import type { Answer, Question } from '../../contract/form.ts';
import { isAcceptableA2aId } from '../../contract/ids.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import { checkProfile } from '../../core/form-profile.ts';
import { cutText, isJsonObject, isSafeKey } from './clean.ts';
import {
  type Answered,
  boundWords,
  type Detected,
  type Dialect,
  type Encoded,
  type Pause,
  policyOf,
  wordsOf,
} from './dialect.ts';
import { isSecretProperty, nameOf, readFields } from './form-fields.ts';

/** `a2a.hitl.form` (ADR 0012; facts/a2a.md §10 C): each form part of the paused message is one question. */
export const hitlFormDialect: Dialect = { name: 'a2a.hitl.form', detect, encode, canRefuse: () => false };

const maxForms = 50;
const maxTitleChars = 200;
const maxFormBytes = 64 * 1024;
const maxErrors = 200;
const maxErrorChars = 500;
const maxSummaryChars = 1000;
const maxSummaryValueChars = 200;

function detect(pause: Pause): Detected {
  const forms = (pause.message?.parts ?? []).flatMap((part) =>
    part.kind === 'data' && isJsonObject(part.data) && part.data['type'] === 'a2a.hitl.form' ? [part.data] : [],
  );
  if (forms.length === 0) return { result: 'not-in-dialect' };
  if (forms.length > maxForms)
    return { result: 'invalid', why: `it holds ${forms.length} forms, and at most ${maxForms} fit` };
  const questions: Question[] = [];
  for (const form of forms) {
    const read = readForm(form, wordsOf(pause.message));
    // All or nothing: an answer to some of the forms would leave the agent waiting for the rest.
    if (typeof read === 'string') return { result: 'invalid', why: read };
    questions.push(read);
  }
  return { result: 'ok', questions };
}

/** The question, or why the form cannot be one. */
function readForm(form: JsonObject, words: string): Question | string {
  const givenId = form['formId'] ?? '';
  const formId = typeof givenId === 'number' ? String(givenId) : givenId;
  if (typeof formId !== 'string') return 'its formId is not a text';
  if (formId !== '' && !isAcceptableA2aId(formId)) return 'its formId is too long or not plain text';
  const fields = form['fields'] ?? [];
  if (!Array.isArray(fields)) return 'its fields are not a list';
  const metadata = objectOf(form['metadata']);
  const { schema, defaults, notes } = readFields(fields, objectOf(metadata['values']));
  const profile = checkProfile(schema);
  if (!profile.ok) return profile.why;
  const title = titleOf(form);
  const description = typeof form['description'] === 'string' ? form['description'].trim() : '';
  const isEmpty = Object.keys(objectOf(schema['properties'])).length === 0;
  const paragraphs = [
    words,
    description,
    ...notes,
    ...(isEmpty ? ['(The form has no fields: send it to confirm.)'] : []),
  ];
  const message = boundWords([...new Set(paragraphs)].filter((text) => text !== '').join('\n\n'));
  return {
    dialect: hitlFormDialect.name,
    kind: 'form',
    idPrefix: 'hitl',
    activityType: 'HITL_FORM',
    formId: formId === '' ? null : formId,
    title,
    message: message === '' ? title : message,
    schema,
    defaults,
    form:
      Buffer.byteLength(JSON.stringify(form)) <= maxFormBytes
        ? withoutSecrets(form, objectOf(schema['properties']))
        : null,
    errors: readErrors(metadata['errors']),
  };
}

/** An agent may send a secret back with its errors; the form it wrote goes into history and to every front end. */
function withoutSecrets(form: JsonObject, properties: JsonObject): JsonObject {
  const isSecret = (name: string | null): boolean => name !== null && isSecretProperty(properties[name]);
  const fields = Array.isArray(form['fields']) ? form['fields'] : [];
  if (!Object.keys(properties).some(isSecret)) return form;
  const metadata = objectOf(form['metadata']);
  const values = Object.entries(objectOf(metadata['values'])).filter(([name]) => !isSecret(name));
  return {
    ...form,
    fields: fields.map((field) =>
      isJsonObject(field) && isSecret(nameOf(field)) ? omit(field, ['default', 'value']) : field,
    ),
    ...('metadata' in form ? { metadata: { ...metadata, values: Object.fromEntries(values) } } : {}),
  };
}

function omit(source: JsonObject, keys: string[]): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !keys.includes(key)));
}

function titleOf(form: JsonObject): string {
  const title = typeof form['title'] === 'string' ? form['title'].replace(/\s+/gu, ' ').trim() : '';
  return title === '' ? 'Form' : cutText(title, maxTitleChars);
}

/** What the agent said against an earlier answer, by field; a list of complaints becomes one text. */
function readErrors(errors: Json | undefined): { [field: string]: string } {
  const read: { [field: string]: string } = {};
  for (const [field, said] of Object.entries(objectOf(errors)).slice(0, maxErrors)) {
    const texts = (Array.isArray(said) ? said : [said]).filter((text): text is string => typeof text === 'string');
    if (isSafeKey(field) && texts.length > 0) read[field] = cutText(texts.join('; '), maxErrorChars);
  }
  return read;
}

function encode(answers: Answered[]): Encoded {
  const data: Json[] = [];
  const summaries: string[] = [];
  for (const { question, answer } of answers) {
    if (answer.status === 'cancelled') return { result: 'cannot-carry', why: 'a form cannot be refused' };
    const properties = objectOf(question.schema['properties']);
    const known = Object.keys(properties).filter((name) => Object.hasOwn(answer.values, name));
    const values = Object.fromEntries(known.map((name) => [name, answer.values[name] ?? null]));
    data.push({
      type: 'a2a.hitl.formResponse',
      ...(question.formId === null ? {} : { formId: question.formId }),
      values,
      metadata: {},
    });
    summaries.push(summarize(question, answer, properties, known));
  }
  return { result: 'ok', text: summaries.join('\n'), data, metadata: {}, extensions: [] };
}

/** For people who read the conversation later; agents read the data part. */
function summarize(question: Question, answer: Answer, properties: JsonObject, known: string[]): string {
  const items = known
    .filter((name) => !isSecretProperty(properties[name]))
    .map((name) => `${labelOf(properties[name], name)}: ${sayValue(properties[name], answer.values[name] ?? null)}`);
  const policy = policyOf(answer);
  const by = policy === null ? '' : ` (decided by the policy "${policy}", not by a person)`;
  const list = items.length === 0 ? 'answered' : items.join(', ');
  return cutText(`${question.title}${by}: ${list}`, maxSummaryChars);
}

function labelOf(property: Json | undefined, name: string): string {
  const title = objectOf(property)['title'];
  return typeof title === 'string' ? title : name;
}

function sayValue(property: Json | undefined, value: Json): string {
  const { oneOf, items } = objectOf(property);
  if (Array.isArray(value)) return cutText(value.map((item) => sayValue(items, item)).join(', '), maxSummaryValueChars);
  const choice = Array.isArray(oneOf) ? oneOf.map(objectOf).find((option) => option['const'] === value) : undefined;
  if (typeof choice?.['title'] === 'string') return choice['title'];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), maxSummaryValueChars);
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
