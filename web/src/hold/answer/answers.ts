/*
 * What is sent for each kind of question: the body of `POST /api/holds/:id/decision`, values exactly as the question's
 * schema has them, and always the digest of what was on screen.
 */
import { editedArgsField } from '../../../../src/contract/holds/answer-names.ts';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { choicesOf } from '../values/choices.ts';
import { type Dict, dictOf, isDict, isSame, listOf } from '../values/dict.ts';

export type Asked = Pick<
  HoldView,
  'kind' | 'schema' | 'defaults' | 'digest' | 'onReject' | 'context' | 'tool' | 'secretPaths' | 'decides'
>;

const propertiesOf = (asked: Pick<Asked, 'schema'>): Dict => dictOf(asked.schema['properties']);
const requiredOf = (asked: Pick<Asked, 'schema'>): unknown[] => listOf(asked.schema['required']);
const isText = (property: unknown): boolean => dictOf(property)['type'] === 'string';

/** The field that says yes or no, of a confirmation or a tool call, as the server reads it. */
export const yesField = ({ kind, decides }: Pick<Asked, 'kind' | 'decides'>): string | null =>
  kind === 'confirmation' || kind === 'tool_call' ? (decides?.field ?? null) : null;

export function resolved(asked: Pick<Asked, 'digest'>, values: Dict): DecisionBody {
  return { status: 'resolved', values, digest: asked.digest };
}

/** Declines to answer; what that does to the task is `onReject`. */
export function declined(asked: Pick<Asked, 'digest'>, reason: string): DecisionBody {
  const comment = reason.trim();
  return { status: 'cancelled', ...(comment === '' ? {} : { reason: comment }), digest: asked.digest };
}

/** The field of an answer in words. */
export function textField(asked: Pick<Asked, 'schema'>): string {
  return Object.entries(propertiesOf(asked)).find(([, property]) => isText(property))?.[0] ?? 'text';
}

/** A plain yes; null where the question takes none. */
export function confirmed(asked: Asked): DecisionBody | null {
  const { decides } = asked;
  return decides === null ? null : resolved(asked, { [decides.field]: decides.yes });
}

/** Whether the field takes this word; an agent may allow one of the two alone. */
function takes(property: unknown, word: boolean | string): boolean {
  const { const: only, enum: values } = dictOf(property);
  return (only === undefined || only === word) && (!Array.isArray(values) || values.includes(word));
}

/** False where the agent takes a no alone, and where nothing in it says yes. */
export function mayApprove(asked: Pick<Asked, 'kind' | 'schema' | 'decides'>): boolean {
  const field = yesField(asked);
  return field !== null && asked.decides !== null && takes(propertiesOf(asked)[field], asked.decides.yes);
}

/** The parts of a tool call's answer, wherever its dialect puts them. */
export interface ToolParts {
  /** The field that decides. */
  yes: string;
  /** What the person may edit; null when the call is fixed. */
  edit: { field: string; schema: Dict; proposed: Dict } | null;
  /** The field that takes a reason or comment; null: only a refusal can carry one. */
  reason: string | null;
  /** Further fields of the answer, by name. */
  more: [string, Dict][];
  /** Those of them that an approval cannot do without. */
  required: string[];
}

export function toolParts(asked: Asked): ToolParts | null {
  const yes = yesField(asked);
  if (yes === null) return null;
  const properties = propertiesOf(asked);
  const field = editedArgsField;
  const isEditable = asked.tool?.isEditable === true && isDict(properties[field]);
  const reason = ['reason', 'comment'].find((name) => isText(properties[name])) ?? null;
  const taken = [yes, field, reason];
  const more = Object.entries(properties).flatMap(([name, one]): [string, Dict][] =>
    taken.includes(name) || !isDict(one) ? [] : [[name, one]],
  );
  const required = requiredOf(asked);
  return {
    yes,
    edit: isEditable
      ? { field, schema: dictOf(properties[field]), proposed: dictOf(asked.defaults[field] ?? asked.context.toolArgs) }
      : null,
    reason,
    more,
    required: more.flatMap(([name]) => (required.includes(name) ? [name] : [])),
  };
}

/** A yes to a call; null where nothing in its answer says one. */
export function toolApproved(asked: Asked, edited: Dict | null, extra: Dict = {}): DecisionBody | null {
  const parts = toolParts(asked);
  if (parts === null || asked.decides === null) return null;
  const yes = { [parts.yes]: asked.decides.yes };
  if (parts.edit === null) return resolved(asked, { ...yes, ...extra });
  const isEdited = edited !== null && !isSame(edited, parts.edit.proposed);
  // Some agents take the call only together with its arguments.
  const isAsked = requiredOf(asked).includes(parts.edit.field);
  return resolved(asked, {
    ...yes,
    ...(isEdited || isAsked ? { [parts.edit.field]: edited ?? parts.edit.proposed } : {}),
    ...extra,
  });
}

/** A no in the shape that carries its reason best: the answer's own field, else the refusal itself. */
export function rejected(asked: Asked, reason: string): DecisionBody {
  const comment = reason.trim();
  const yes = yesField(asked);
  const carrier = toolParts(asked)?.reason ?? null;
  const values = {
    ...(yes === null || asked.decides === null ? {} : { [yes]: asked.decides.no }),
    ...(comment === '' || carrier === null ? {} : { [carrier]: comment }),
  };
  if (yes === null || !isRefusal(asked, yes, values)) return declined(asked, comment);
  // As a refusal it counts as a no whatever its field is called.
  const isBetterSent = asked.kind === 'confirmation' || (comment !== '' && carrier === null);
  return isBetterSent && asked.onReject === 'answers' ? declined(asked, comment) : resolved(asked, values);
}

/** Rules that say more of an answer than which fields it has: what they allow, the server knows. */
const furtherRules = ['if', 'not', 'allOf', 'anyOf', 'oneOf', 'dependentRequired', 'dependentSchemas', 'minProperties'];

/** Whether the question takes these values for a no. */
function isRefusal(asked: Asked, yes: string, values: Dict): boolean {
  return (
    asked.decides !== null &&
    takes(propertiesOf(asked)[yes], asked.decides.no) &&
    requiredOf(asked).every((name) => typeof name === 'string' && Object.hasOwn(values, name)) &&
    !furtherRules.some((rule) => rule in asked.schema)
  );
}

/** Whether a no goes to the agent; where it cannot be sent, a no ends the task. */
export function isRefusalSent(asked: Asked): boolean {
  return asked.onReject === 'answers' || rejected(asked, '').status === 'resolved';
}

/** Whether a reason given with a no reaches the agent. */
export function carriesReason(asked: Asked): boolean {
  return asked.onReject === 'answers' || toolParts(asked)?.reason != null;
}

/** How this authorisation can be answered. */
export interface AuthParts {
  outcome: { field: string; options: { value: unknown; title: string }[] } | null;
  note: string | null;
  /** Everything else that is asked for, secrets among it. */
  fields: { name: string; schema: Dict; isSecret: boolean }[];
}

export function authParts(asked: Asked): AuthParts {
  const properties = propertiesOf(asked);
  const found = Object.entries(properties).find(([, property]) => choicesOf(property).length > 0);
  const note = isText(properties['note']) ? 'note' : null;
  const secrets = asked.secretPaths.map((path) => path.replace(/^\//, '').split('/')[0] ?? '');
  return {
    outcome: found === undefined ? null : { field: found[0], options: choicesOf(found[1]) },
    note,
    fields: Object.entries(properties).flatMap(([name, schema]) =>
      name === found?.[0] || name === note || !isText(schema)
        ? []
        : [{ name, schema: dictOf(schema), isSecret: secrets.includes(name) }],
    ),
  };
}
