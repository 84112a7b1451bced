// What tells one question from another at a glance: the task's text or the values it is about, in place of a title
// that all similar questions share. The same for the pages, the command line and notifications.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { decidesOf } from '../consent/verdict.ts';
import { canonicalJson, isObject, objectOf } from '../base/json.ts';

/** One value that a question is about, with the agent's label. */
interface SubjectValue {
  name: string;
  value: string | number | boolean;
  /** How much, and in what; by the name of its field. */
  role?: 'amount' | 'currency';
}

type Asked = Pick<Question, 'kind' | 'title' | 'hasOwnTitle' | 'message' | 'tool' | 'defaults' | 'schema' | 'secrets'>;

const maxValues = 4;
const maxValueChars = 80;
const maxSubjectChars = 160;

const isScalar = (value: Json | undefined): value is string | number | boolean =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || typeof value === 'boolean';

/** What people look for first: how much, and who or what is concerned. */
const isAmount = /amount|total|price|sum|cost(?!_?-?cent)|fee|budget|salary|balance|betrag|preis|summe/iu;
const isParty =
  /^(?:to|from|for|who|host)$|recipient|customer|client|vendor|supplier|payee|beneficiary|currency|währung|name|email|employee|company|kunde|lieferant/iu;
/** Made by programs for programs: names nothing to a person. */
const isOpaque = /^[0-9a-f]{8}-[0-9a-f-]{27}$|^[0-9a-f]{16,}$|^[\w-]{24,}$/iu;

const isCurrency = /currency|währung/iu;
const isCurrencyCode = /^\p{Lu}{3}$/u;

function withRole(one: SubjectValue): SubjectValue {
  if (typeof one.value === 'number') return isAmount.test(one.name) ? { ...one, role: 'amount' } : one;
  return isCurrency.test(one.name) && isCurrencyCode.test(`${one.value}`) ? { ...one, role: 'currency' } : one;
}

/** How much a value tells; equals keep the agent's own order. */
function rankOf({ name, value }: SubjectValue): number {
  if (typeof value === 'boolean') return 0;
  if (typeof value === 'string' && isOpaque.test(value)) return 0;
  if (isAmount.test(name) || isParty.test(name)) return 3;
  return typeof value === 'number' || value.length <= 40 ? 2 : 1;
}

/** A plain value, or a short list of words as one. */
function scalarOf(value: Json | undefined): string | number | boolean | null {
  if (isScalar(value)) return typeof value === 'string' ? value.slice(0, maxValueChars) : value;
  if (!Array.isArray(value) || value.length === 0 || value.length > maxValues) return null;
  return value.every((one) => typeof one === 'string') ? value.join(', ').slice(0, maxValueChars) : null;
}

/** The most telling ones; those in an object of their own count as its fields. */
function tellingOf(values: Record<string, Json>): SubjectValue[] {
  const found = Object.entries(values).flatMap(([name, value]): SubjectValue[] => {
    const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { [name]: value };
    return Object.entries(inner).flatMap(([key, one]) => {
      const scalar = scalarOf(one);
      return scalar === null || scalar === '' ? [] : [{ name: key, value: scalar }];
    });
  });
  return found
    .toSorted((a, b) => rankOf(b) - rankOf(a))
    .slice(0, maxValues)
    .map(withRole);
}

/** The most telling values of a tool call, or of those that a form proposes; never one of a secret field. */
export function valuesOf({ kind, tool, defaults, secrets }: Asked): SubjectValue[] {
  if (tool !== null) {
    const edited = defaults[editedArgsField];
    const proposed = typeof edited === 'object' && edited !== null && !Array.isArray(edited) ? edited : {};
    return tellingOf({ ...tool.args, ...proposed });
  }
  const open = Object.entries(defaults).filter(([name]) => !secrets.includes(name));
  return kind === 'form' ? tellingOf(Object.fromEntries(open)) : [];
}

/** The question as a yes granted it: with the arguments as they were edited, or the form as it was filled in. */
function granted<T extends Asked>(asked: T, values: Record<string, Json>): T {
  const fields =
    asked.tool === null
      ? values
      : editedArgsField in values
        ? { [editedArgsField]: values[editedArgsField] ?? null }
        : {};
  return { ...asked, defaults: { ...asked.defaults, ...fields } };
}

/** What a yes granted, and whether anything but the decision itself had been proposed otherwise. */
export function grantedOf(
  asked: Asked,
  values: Record<string, Json>,
  decisionField: string | null = null,
): { values: SubjectValue[]; changed: boolean } {
  const now = granted(asked, values);
  const proposed = asked.tool === null ? asked.defaults : { [editedArgsField]: { ...asked.tool.args } };
  const names = Object.keys(proposed).filter(
    (name) => Object.hasOwn(now.defaults, name) && name !== decisionField && !asked.secrets.includes(name),
  );
  const isSame = (name: string): boolean => {
    const [was, is] = [proposed[name] ?? null, now.defaults[name] ?? null];
    // Edited arguments may be the changed ones alone.
    const whole = name === editedArgsField && isObject(was) && isObject(is) ? { ...was, ...is } : is;
    return canonicalJson(was) === canonicalJson(whole);
  };
  return { values: valuesOf(now), changed: !names.every(isSame) };
}

/** Fields of a form that must be filled in and that the agent has left empty: of one that a yes answers, for the yes. */
export function requiredLeft(asked: Asked & Pick<Question, 'decisionField'>): number {
  const { kind, schema, defaults } = asked;
  if (kind !== 'form') return 0;
  const decides = decidesOf(asked);
  const required = new Set(namesIn(schema['required']));
  if (decides !== null) {
    for (const rule of [schema, ...listOf(schema['allOf'])].map(objectOf))
      if (isMet(objectOf(rule['if']), { [decides.field]: decides.yes }))
        for (const name of namesIn(objectOf(rule['then'])['required'])) required.add(name);
    // It is the two buttons.
    required.delete(decides.field);
  }
  return [...required].filter((name) => !isScalar(defaults[name])).length;
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

const namesIn = (value: Json | undefined): string[] => listOf(value).filter((name) => typeof name === 'string');

/** Whether a rule's condition asks for these values and no others. */
function isMet(condition: JsonObject, values: JsonObject): boolean {
  const asked = Object.entries(objectOf(condition['properties']));
  return asked.length > 0 && asked.every(([name, property]) => objectOf(property)['const'] === values[name]);
}

/** A generic title: Holdpoint's, one without a question mark or a digit, or just the name of a tool. */
function isGeneric({ kind, title, hasOwnTitle, tool }: Asked): boolean {
  if (!hasOwnTitle || title.trim() === '') return true;
  if (kind === 'tool_call') return tool !== null && !/\d/u.test(title.replace(tool.name, ''));
  return kind === 'form' && !/[?\u061F\uFF1F\d]/u.test(title);
}

/** Text by a person, not by a program. */
const isSpoken = (text: string): boolean => text.trim() !== '' && !/^\s*[[{<]/u.test(text);

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim().slice(0, maxSubjectChars);

/** `isAlone`: it is the only question of its pause, so the task's text describes it. */
export function subjectOf(asked: Asked, taskTitle: string, isAlone: boolean): string {
  const lead = leadOf(asked);
  if (lead !== null) return oneLine(lead);
  if (!isGeneric(asked)) return oneLine(asked.title);
  if (isAlone && isSpoken(taskTitle)) return oneLine(taskTitle);
  // A switch says nothing without its name.
  const values = valuesOf(asked).flatMap(({ value }) => (typeof value === 'boolean' ? [] : [String(value)]));
  if (values.length === 0) return oneLine(asked.title);
  return oneLine(`${asked.tool?.name ?? asked.title}: ${values.slice(0, 3).join(', ')}`);
}

const maxChars = 160;

/**
 * What a question without a title of its own asks, in its first line; null: its title or the name of its tool says it,
 * or nothing does.
 */
export function leadOf(asked: Pick<Question, 'title' | 'hasOwnTitle' | 'message' | 'tool'>): string | null {
  const { title, hasOwnTitle, message, tool } = asked;
  if (hasOwnTitle || (tool !== null && tool.name !== '')) return null;
  const first = linesOf(message)[0];
  return first === undefined || first === title ? null : first;
}

/** Of a question without values: what its message begins with, or goes on with after its lead. */
export function aboutOf(asked: Asked): string | null {
  if (valuesOf(asked).some(({ value }) => typeof value !== 'boolean')) return null;
  const known = new Set([asked.title.trim(), leadOf(asked)]);
  return linesOf(asked.message).find((line) => !known.has(line)) ?? null;
}

/** The first lines of a message, without Markdown's marks; messages may be long. */
const linesOf = (message: string): string[] =>
  message
    .slice(0, 2_000)
    .split('\n')
    .map((line) =>
      line
        .replace(/^[\s#>*-]+/, '')
        .replaceAll(/\*\*|`/g, '')
        .trim()
        .slice(0, maxChars),
    )
    .filter((line) => line !== '');
