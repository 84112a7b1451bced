import type { Json, JsonObject } from '../../../contract/base/json.ts';

/** Maximum nesting depth of arrays and objects; deeper values are replaced by a placeholder. */
export const maxJsonDepth = 64;
const tooDeepNote = '[nested too deeply]';

/** Remaining size budget of one event, shared by all its parts so that many small values count like one large value. */
export interface Budget {
  textBytes: number;
  jsonChars: number;
  jsonNodes: number;
  fileBytes: number;
  parts: number;
  /** Text or data of it was left out, or replaced by a note. */
  isCut: boolean;
}

export function eventBudget(): Budget {
  return {
    textBytes: 4 * 1024 * 1024,
    jsonChars: 4 * 1024 * 1024,
    jsonNodes: 200_000,
    fileBytes: 16 * 1024 * 1024,
    parts: 100_000,
    isCut: false,
  };
}

const bannedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** False for keys that could reach an object's prototype through assignment or JSON Patch. */
export function isSafeKey(key: string): boolean {
  return !bannedKeys.has(key);
}

/** Replaces NUL (rejected by PostgreSQL) and lone surrogates (not encodable in UTF-8) by U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** What is read of an event's part, with `isCut` where the reading left something of it out. */
export function noticingCuts<T extends object>(budget: Budget, read: () => T): T & { isCut?: true } {
  const before = budget.isCut;
  budget.isCut = false;
  const value = read();
  const isOwn = budget.isCut;
  budget.isCut = before || isOwn;
  return isOwn ? { ...value, isCut: true } : value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A sanitised, bounded copy of untrusted JSON; null when the event's budget is exhausted. */
export function cleanJson(value: unknown, budget: Budget): { json: Json } | null {
  try {
    return { json: copyJson(value, budget, 1) };
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    budget.isCut = true;
    return null;
  }
}

class BudgetSpent extends Error {}

function copyJson(value: unknown, budget: Budget, depth: number): Json {
  budget.jsonNodes -= 1;
  if (budget.jsonNodes < 0) throw new BudgetSpent();
  if (typeof value === 'string') return copyString(value, budget);
  // JSON does not preserve minus zero, so it is normalised before anything compares it.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > maxJsonDepth) {
    budget.isCut = true;
    return tooDeepNote;
  }
  if (Array.isArray(value)) return value.map((item) => copyJson(item, budget, depth + 1));
  const copy: JsonObject = {};
  for (const [rawKey, member] of Object.entries(value)) {
    const key = copyString(rawKey, budget);
    if (isSafeKey(key)) copy[key] = copyJson(member, budget, depth + 1);
    else budget.isCut = true;
  }
  return copy;
}

function copyString(text: string, budget: Budget): string {
  budget.jsonChars -= text.length;
  if (budget.jsonChars < 0) throw new BudgetSpent();
  return cleanText(text);
}
