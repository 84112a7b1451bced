// What a surface may offer of a question: a decision only where it shows all that the digest covers.
import type { DecisionBody } from '../../contract/holds/decision.ts';
import type { ShownArtifact } from '../../contract/holds/hold.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import { sayingOf, yesOf } from '../consent/verdict.ts';
import { objectOf } from '../base/json.ts';
import { hasHiding } from '../base/visible.ts';
import { isShownWhole, remarks, type WholeLimits } from './link-page.ts';

/** What a surface can show; characters in UTF-16 units. */
export interface SurfaceLimits extends WholeLimits {
  /** Form fields in one dialog. */
  fields: number;
  /** Choices of one field. */
  choices: number;
}

export interface SurfaceField {
  name: string;
  label: string;
  kind: 'text' | 'number' | 'boolean' | 'choice';
  isRequired: boolean;
  /** Of a choice; empty for other kinds. */
  choices: string[];
  /** The value that the agent proposes, as text; null: none. */
  value: string | null;
}

interface AskedOnSurface {
  question: Question;
  artifacts: readonly Pick<ShownArtifact, 'textLength'>[] | null;
  attachments: readonly unknown[];
  plan: Pick<LadderPlan, 'danger'>;
  canRefuse: boolean;
}

/** What a surface offers: buttons, a form, or only the way to the page. */
export type Offer =
  | { kind: 'yes-no'; takesReason: boolean }
  | { kind: 'form'; fields: SurfaceField[] }
  | { kind: 'page' };

const page: Offer = { kind: 'page' };

export function offerOf(asked: AskedOnSurface, limits: SurfaceLimits): Offer {
  const { question, plan } = asked;
  if (
    plan.danger ||
    question.secrets.length > 0 ||
    !['confirmation', 'tool_call', 'form', 'text'].includes(question.kind)
  )
    return page;
  if (yesOf(question) !== null)
    return isShownWhole(asked, limits)
      ? { kind: 'yes-no', takesReason: reasonFieldOf(question) !== null || asked.canRefuse }
      : page;
  if (question.kind === 'tool_call' || !isShownWhole({ ...asked, question: withoutFields(question) }, limits))
    return page;
  const fields = fieldsOf(question, limits);
  return fields === null ? page : { kind: 'form', fields };
}

/** The question as a form shows it above its fields, which are checked on their own. */
const withoutFields = (question: Question): Question => ({
  ...question,
  kind: 'confirmation',
  schema: { type: 'object', properties: { go: { type: 'boolean' } } },
  defaults: {},
});

/** The fields of a form, or null if one of them is more than a text, a number, a yes or a choice. */
function fieldsOf({ schema, defaults }: Question, limits: SurfaceLimits): SurfaceField[] | null {
  const properties = Object.entries(objectOf(schema['properties']));
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (properties.length === 0 || properties.length > limits.fields) return null;
  if (Object.keys(defaults).some((name) => !Object.hasOwn(objectOf(schema['properties']), name))) return null;
  const fields = properties.map(([name, property]) =>
    fieldOf(name, objectOf(property), defaults[name], { isRequired: required.includes(name), limits }),
  );
  return fields.every((field) => field !== null) ? fields : null;
}

const kinds: Record<string, SurfaceField['kind']> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
};
const maxLabelChars = 150;

function fieldOf(
  name: string,
  property: JsonObject,
  proposed: Json | undefined,
  { isRequired, limits }: { isRequired: boolean; limits: SurfaceLimits },
): SurfaceField | null {
  const { type, title, description } = property;
  const kind = typeof type === 'string' ? kinds[type] : undefined;
  const label = [title ?? name, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
  // What is filled in or chosen goes back as it is, so nothing in it may be written out.
  if (kind === undefined || label.length > maxLabelChars || hasHiding(label)) return null;
  const choices = property['enum'] === undefined ? [] : choicesOf(property['enum'], limits);
  if (choices === null || (choices.length > 0 && kind !== 'text')) return null;
  // Anything else that a page draws, such as labels of choices, is not shown here.
  const known = ['type', 'title', 'description', 'enum', 'default', 'minLength', 'maxLength', 'minimum', 'maximum'];
  if (Object.keys(property).some((key) => !known.includes(key))) return null;
  const value = proposed === undefined || proposed === null ? null : String(proposed);
  if (typeof proposed === 'object' && proposed !== null) return null;
  if (value !== null && (value.length > limits.message || hasHiding(value))) return null;
  return { name, label, kind: choices.length > 0 ? 'choice' : kind, isRequired, choices, value };
}

function choicesOf(values: Json, { choices: max }: SurfaceLimits): string[] | null {
  if (!Array.isArray(values) || values.length === 0 || values.length > max) return null;
  const texts = values.filter(
    (one): one is string => typeof one === 'string' && one !== '' && one.length <= 75 && !hasHiding(one),
  );
  return texts.length === values.length ? texts : null;
}

/** The field of a yes/no question that takes a remark; null: it has none. */
function reasonFieldOf({ schema }: Question): string | null {
  const properties = objectOf(schema['properties']);
  return ['reason', 'comment', 'response'].find((name) => remarks.has(name) && Object.hasOwn(properties, name)) ?? null;
}

/** The answer of a yes or a no to a question that offers them; null if it does not. */
export function yesNoBody(
  { question, canRefuse }: Pick<AskedOnSurface, 'question' | 'canRefuse'>,
  given: { isYes: boolean; reason: string; digest: string },
): DecisionBody | null {
  const { isYes, digest } = given;
  const [yes, no] = [yesOf(question), sayingOf(question, false)];
  if (yes === null || no === null) return null;
  const reason = given.reason.trim();
  if (isYes) return { status: 'resolved', values: yes, digest };
  const remark = reasonFieldOf(question);
  if (reason !== '' && remark !== null) return { status: 'resolved', values: { ...no, [remark]: reason }, digest };
  if (reason !== '' && canRefuse) return { status: 'cancelled', reason, digest };
  return { status: 'resolved', values: no, digest };
}

/** The values of a form from texts, by field; a field that was left empty is missing. */
export function formValues(fields: readonly SurfaceField[], texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }): [string, Json][] => {
      const text = Object.hasOwn(texts, name) ? (texts[name] ?? '') : '';
      if (kind === 'boolean') return [[name, text === 'true']];
      if (text.trim() === '') return [];
      // A text that is not a number is refused by the schema, with its own words.
      return [[name, kind === 'number' && Number.isFinite(Number(text)) ? Number(text) : text]];
    }),
  );
}
