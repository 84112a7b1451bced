// A form with a field that decides: what its yes and its no send, and which fields each still lacks; pure.
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { reasonNames } from '../../../../src/core/answers/reason-names.ts';
import { problemsOf } from './check.ts';
import { choicesOf } from '../values/choices.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import { without } from '../values/schema-walk.ts';
import { type Asked, declined, resolved } from './answers.ts';

export type Decides = NonNullable<HoldView['decides']>;
export type AskedForm = Asked & { decides: Decides };

/** Either it can be sent, or these fields are asked for first; none of them named: the whole form says what is wrong. */
export type Answer = { body: DecisionBody } | { lacks: string[] };

/** The field that takes a reason or comment; null: only a refusal can carry one. */
export function reasonFieldOf({ schema, decides }: Pick<AskedForm, 'schema' | 'decides'>): string | null {
  const properties = dictOf(schema['properties']);
  const isWords = (name: string): boolean =>
    name !== decides.field && dictOf(properties[name])['type'] === 'string' && choicesOf(properties[name]).length === 0;
  return reasonNames.find(isWords) ?? null;
}

/** Root fields that the values lack or have wrong, in the form's order. */
function lacking(schema: Dict, values: Dict): string[] | null {
  const problems = problemsOf(schema, values);
  if (problems.length === 0) return null;
  const properties = dictOf(schema['properties']);
  return [...new Set(problems.map(({ path: [name = ''] }) => name))].filter((name) => Object.hasOwn(properties, name));
}

export function approvedForm(asked: AskedForm, values: Dict): Answer {
  const filled = { ...values, [asked.decides.field]: asked.decides.yes };
  const lacks = lacking(asked.schema, filled);
  return lacks === null ? { body: resolved(asked, filled) } : { lacks };
}

/** A no asks for nothing but a reason where the form, or the agent's way to be refused, allows it. */
export function rejectedForm(asked: AskedForm, values: Dict, reason: string): Answer {
  const { decides, schema, onReject } = asked;
  const text = reason.trim();
  const carrier = reasonFieldOf(asked);
  const no = { [decides.field]: decides.no, ...(text === '' || carrier === null ? {} : { [carrier]: text }) };
  // A refusal carries the reason that the form has no field for.
  if (text !== '' && carrier === null && onReject === 'answers') return { body: declined(asked, text) };
  // What is written for a yes may be half of it: a no is sent with it, else with what the agent proposed, else alone.
  const filled = [{ ...values, ...no }, { ...asked.defaults, ...no }, no];
  const whole = filled.find((one) => lacking(schema, one) === null);
  if (whole !== undefined) return { body: resolved(asked, whole) };
  if (onReject === 'answers') return { body: declined(asked, text) };
  return { lacks: lacking(schema, { ...values, ...no }) ?? [] };
}

/** Whether a reason given with a no reaches the agent. */
export const takesReason = (asked: AskedForm): boolean => asked.onReject === 'answers' || reasonFieldOf(asked) !== null;

/** What the agent proposed or the person wrote, without what the buttons say. */
export const withoutVerdict = ({ decides }: Pick<AskedForm, 'decides'>, values: Dict): Dict =>
  without(values, decides.field);
