// The most telling values of a question: of a tool call's arguments, or proposed by a form.
import type { Question } from '../../contract/holds/question.ts';
import type { Json } from '../../contract/base/json.ts';
import { payloadOf } from './edited-args.ts';
import { isAmountField, isCurrencyField } from './money-fields.ts';

/** One value that a question is about, with the agent's label. */
export interface TellingValue {
  name: string;
  value: string | number | boolean;
  /** How much, and in what; by the name of its field. */
  role?: 'amount' | 'currency';
}

export type Valued = Pick<Question, 'kind' | 'tool' | 'defaults' | 'secrets'>;

const maxValues = 4;
const maxValueChars = 80;

/** Whether a value says something. */
export const isScalar = (value: Json | undefined): value is string | number | boolean =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || typeof value === 'boolean';

/** What people look for first: how much, and who or what is concerned. */
const isParty =
  /^(?:to|from|for|who|host)$|recipient|customer|client|vendor|supplier|payee|beneficiary|currency|währung|name|email|employee|company|kunde|lieferant/iu;
/** Made by programs for programs: names nothing to a person. */
const isOpaque = /^[0-9a-f]{8}-[0-9a-f-]{27}$|^[0-9a-f]{16,}$|^[\w-]{24,}$/iu;

function withRole(one: TellingValue): TellingValue {
  if (typeof one.value === 'number') return isAmountField(one.name) ? { ...one, role: 'amount' } : one;
  return isCurrencyField(one.name, one.value) ? { ...one, role: 'currency' } : one;
}

/** How much a value tells; equals keep the agent's own order. */
function rankOf({ name, value }: TellingValue): number {
  if (typeof value === 'boolean') return 0;
  if (typeof value === 'string' && isOpaque.test(value)) return 0;
  if (isAmountField(name) || isParty.test(name)) return 3;
  return typeof value === 'number' || value.length <= 40 ? 2 : 1;
}

/** A plain value, or a short list of words as one. */
function scalarOf(value: Json | undefined): string | number | boolean | null {
  if (isScalar(value)) return typeof value === 'string' ? value.slice(0, maxValueChars) : value;
  if (!Array.isArray(value) || value.length === 0 || value.length > maxValues) return null;
  return value.every((one) => typeof one === 'string') ? value.join(', ').slice(0, maxValueChars) : null;
}

/** The most telling ones; those in an object of their own count as its fields. */
function tellingOf(values: Record<string, Json>): TellingValue[] {
  const found = Object.entries(values).flatMap(([name, value]): TellingValue[] => {
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
export function valuesOf({ kind, tool, defaults, secrets }: Valued): TellingValue[] {
  if (tool !== null) {
    return tellingOf({ ...tool.args, ...payloadOf({ tool, defaults }) });
  }
  const open = Object.entries(defaults).filter(([name]) => !secrets.includes(name));
  return kind === 'form' ? tellingOf(Object.fromEntries(open)) : [];
}
