// One comparison of a rule, `amount > 1000`: read once, when the configuration is; never evaluated as code.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { parseJson } from '../base/json.ts';
import { ownEntry } from '../base/own-entry.ts';

export type Scalar = string | number | boolean | null;
type Operator = '==' | '!=' | '>' | '>=' | '<' | '<=' | 'contains' | 'startsWith' | 'exists';

export interface Comparison {
  path: string[];
  op: Operator;
  /** For `exists`: whether the value should exist. */
  value: Scalar;
}

type ReadComparison = { ok: true; comparison: Comparison } | { ok: false; why: string };

const maxDepth = 10;
const whole = /^([^\s=!<>]+)\s*(==|!=|>=|<=|>|<|(?<=\s)(?:contains|startsWith|exists)(?=\s|$))\s*(.*)$/su;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const dateText = /^\d{4}-\d{2}-\d{2}/;
const ofPrototypes = new Set(['__proto__', 'constructor', 'prototype']);
const form = 'expected such as amount > 1000';

/**
 * Reads `path operator value`. The path is dotted (`to.country`, `items.0.price`) or a JSON pointer (`/to/country`); the
 * value a number, true, false, null, one bare word, or a text in quotes.
 */
export function readComparison(text: string): ReadComparison {
  const found = whole.exec(text.trim());
  if (found === null) return { ok: false, why: `no comparison: ${form}` };
  const [, pathText = '', term = '', valueText = ''] = found;
  const path = pathOf(pathText);
  if (typeof path === 'string') return { ok: false, why: path };
  const op = term as Operator;
  if (op === 'exists' && valueText === '') return { ok: true, comparison: { path, op, value: true } };
  const read = valueOf(valueText);
  if ('why' in read) return { ok: false, why: read.why };
  const why = misfitOf(op, read.value);
  return why === null ? { ok: true, comparison: { path, op, value: read.value } } : { ok: false, why };
}

function pathOf(text: string): string[] | string {
  const isPointer = text.startsWith('/');
  const path = isPointer
    ? text
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : text.split('.');
  if (!isPointer && path.includes('')) return `"${text}" is not a path: there is nothing between two dots`;
  if (path.length > maxDepth) return `"${text}" goes too deep: expected at most ${maxDepth} steps`;
  const own = path.find((step) => ofPrototypes.has(step));
  return own === undefined ? path : `"${own}" is never read`;
}

function valueOf(text: string): { value: Scalar } | { why: string } {
  if (text === '') return { why: `there is nothing to compare with: ${form}` };
  if (text.startsWith('"')) {
    const value = parseJson(text);
    return typeof value === 'string' ? { value } : { why: `${text} is not a text in quotes` };
  }
  if (text.startsWith("'"))
    return /^'[^']*'$/.test(text) ? { value: text.slice(1, -1) } : { why: `${text} is not a text in quotes` };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (text === 'null') return { value: null };
  if (jsonNumber.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? { value } : { why: `${text} is too large a number` };
  }
  if (/["'=!<>]/.test(text)) return { why: `${text} is not a value: put a text with such characters in quotes` };
  if (/\s/.test(text)) return { why: `found several words: put a text with spaces in quotes, "${text}"` };
  if (/^[[{]/.test(text)) return { why: 'only numbers, texts, true, false and null can be compared with' };
  if (/^[-+.]?\d/.test(text) && !dateText.test(text))
    return { why: `${text} is neither a number nor a date: put it in quotes if it is a text` };
  return { value: text };
}

function misfitOf(op: Operator, value: Scalar): string | null {
  if (op === 'exists') return typeof value === 'boolean' ? null : '`exists` takes nothing, true or false after it';
  if (op === 'startsWith') return typeof value === 'string' ? null : '`startsWith` takes a text; put it in quotes';
  if (op === '==' || op === '!=' || op === 'contains') return null;
  return typeof value === 'number' || typeof value === 'string' ? null : `\`${op}\` takes a number or a text`;
}

/** True when the comparison holds for the data. Values of different types are unequal and have no order. */
export function holds({ path, op, value }: Comparison, data: JsonObject): boolean {
  const found = lookUp(data, path);
  if (op === 'exists') return (found !== undefined) === value;
  if (found === undefined) return false;
  switch (op) {
    case '==':
      return found === value;
    case '!=':
      return found !== value;
    case 'contains':
      return Array.isArray(found)
        ? found.some((item) => item === value)
        : typeof found === 'string' && typeof value === 'string' && found.includes(value);
    case 'startsWith':
      return typeof found === 'string' && typeof value === 'string' && found.startsWith(value);
    default:
      return inOrder(found, op, value);
  }
}

/** False where the data has a value for a comparison by order, and the two have no order: neither yes nor no is true. */
export function isJudgeable({ path, op, value }: Comparison, data: JsonObject): boolean {
  if (op !== '>' && op !== '>=' && op !== '<' && op !== '<=') return true;
  const found = lookUp(data, path);
  return found === undefined || found === null || typeof found === typeof value;
}

/** Compares numbers by size and texts by their characters, so ISO dates compare by time. */
function inOrder(found: Json, op: '>' | '>=' | '<' | '<=', value: Scalar): boolean {
  const isNumbers = typeof found === 'number' && typeof value === 'number';
  const isTexts = typeof found === 'string' && typeof value === 'string';
  if (!isNumbers && !isTexts) return false;
  switch (op) {
    case '>':
      return found > value;
    case '>=':
      return found >= value;
    case '<':
      return found < value;
    default:
      return found <= value;
  }
}

/** The value at a path; missing: there is none. */
export function lookUp(data: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = /^\d{1,6}$/.test(step) ? value[Number(step)] : undefined;
    else value = ownEntry(value, step);
  }
  return value;
}

/** True when data that meets `narrow` always meets `wide`; false when that cannot be decided. */
export function implies(narrow: Comparison, wide: Comparison): boolean {
  if (narrow.path.length !== wide.path.length || narrow.path.some((step, index) => step !== wide.path[index]))
    return false;
  if (narrow.op === wide.op && narrow.value === wide.value) return true;
  const isThere = narrow.op !== 'exists' || narrow.value === true;
  if (wide.op === 'exists') return wide.value === isThere;
  if (narrow.op === '==') return holds({ ...wide, path: ['it'] }, { it: narrow.value });
  if (isLowest(wide) && isLowest(narrow)) return reaches(narrow, wide, 1);
  if (isHighest(wide) && isHighest(narrow)) return reaches(narrow, wide, -1);
  if (wide.op !== 'startsWith' || narrow.op !== 'startsWith') return false;
  return typeof narrow.value === 'string' && typeof wide.value === 'string' && narrow.value.startsWith(wide.value);
}

/** True when the bound of `narrow` is at least as strict as that of `wide`; `sign` is 1 for lower bounds, -1 for upper ones. */
function reaches(narrow: Comparison, wide: Comparison, sign: 1 | -1): boolean {
  const order = orderOf(narrow.value, wide.value);
  if (order === null) return false;
  const isLooser = narrow.op.endsWith('=') && !wide.op.endsWith('=');
  return isLooser ? order * sign > 0 : order * sign >= 0;
}

/** The sign of `one - other`; null for values that have no order. */
function orderOf(one: unknown, other: unknown): number | null {
  if (typeof one === 'number' && typeof other === 'number') return Math.sign(one - other);
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : Number(one > other);
  return null;
}

const requiresThere = ({ op, value }: Comparison): boolean => op !== 'exists' || value === true;
const isLowest = ({ op }: Comparison): boolean => op === '>' || op === '>=';
const isHighest = ({ op }: Comparison): boolean => op === '<' || op === '<=';

/** True when no data can meet both; false when that cannot be decided. */
export function excludes(one: Comparison, other: Comparison): boolean {
  if (one.path.length !== other.path.length || one.path.some((step, index) => step !== other.path[index])) return false;
  if (requiresThere(one) !== requiresThere(other)) return true;
  for (const [fixed, wide] of [
    [one, other],
    [other, one],
  ] as const) {
    if (fixed.op === '==') return !holds({ ...wide, path: ['it'] }, { it: fixed.value });
  }
  const [low, high] = isLowest(one) ? [one, other] : [other, one];
  if (!isLowest(low) || !isHighest(high)) return false;
  if (typeof low.value !== typeof high.value) return true;
  const areBothIn = low.op === '>=' && high.op === '<=';
  return (low.value ?? '') > (high.value ?? '') || (low.value === high.value && !areBothIn);
}
