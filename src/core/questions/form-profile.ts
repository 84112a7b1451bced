import type { Json, JsonObject } from '../../contract/base/json.ts';
import { assertNever } from '../base/errors.ts';
import { utf8Length, isObject } from '../base/json.ts';
import { modern, type Reading, readingOf } from './schema-words.ts';

/*
 * The JSON Schema accepted from agents: a bounded subset of 2020-12, also where it is written in older words. Unknown
 * words are annotations; one that may forbid values is not passed over, so such a schema is not shown as a form. One
 * inside the profile may still be invalid or slow: it is compiled and run in a thread that can be killed
 * (host/schema-runner).
 */

type Refused = { ok: false; why: string };

const profileLimits = { maxBytes: 128 * 1024, maxDepth: 16, maxProperties: 500, maxPatternChars: 1000 } as const;

/** Whether a schema is small and simple enough to show to people. Never throws, however deep the value. */
export function checkProfile(schema: JsonObject): { ok: true } | Refused {
  const read = readProfile(schema);
  return read.ok ? { ok: true } : read;
}

/** An agent's schema in the words of 2020-12, as it is shown and checked, or why it is not shown. */
export function readProfile(schema: JsonObject): { ok: true; schema: JsonObject } | Refused {
  // Depth first: everything after this may recurse.
  if (depthOf(schema) > profileLimits.maxDepth)
    return refuse(`it is nested deeper than ${profileLimits.maxDepth} levels`);
  if (utf8Length(JSON.stringify(schema)) > profileLimits.maxBytes) {
    return refuse(`it is larger than ${profileLimits.maxBytes / 1024} KiB`);
  }
  const read = modern(schema);
  if (read['type'] !== 'object') return refuse('its type is not "object"');
  const found: Found = { properties: 0, places: new Set(), references: [] };
  const why = checkSchema(read, [], found) ?? checkReferences(found);
  if (why !== null) return refuse(why);
  if (found.properties > profileLimits.maxProperties)
    return refuse(`it has more than ${profileLimits.maxProperties} properties`);
  return { ok: true, schema: read };
}

interface Found {
  properties: number;
  /** Where schemas are, as JSON pointers. */
  places: Set<string>;
  references: string[];
}

function refuse(why: string): Refused {
  return { ok: false, why };
}

/** Nesting of arrays and objects, found level by level so that no depth overflows the stack. */
function depthOf(value: Json): number {
  let level = containersIn([value]);
  let depth = 0;
  while (level.length > 0 && depth <= profileLimits.maxDepth) {
    level = containersIn(level.flatMap((item) => Object.values(item)));
    depth += 1;
  }
  return depth;
}

function containersIn(items: Json[]): (Json[] | JsonObject)[] {
  return items.filter((item) => typeof item === 'object' && item !== null);
}

function checkSchema(schema: Json, at: string[], found: Found): string | null {
  found.places.add(at.join('/'));
  if (typeof schema === 'boolean') return null;
  if (!isObject(schema)) return 'a part of it is not a schema';
  for (const [keyword, value] of Object.entries(schema)) {
    const reading = readingOf(keyword);
    const why =
      reading === 'refused'
        ? `the keyword "${keyword.slice(0, 60)}" is not known`
        : reading === null
          ? null
          : checkValue(reading, value, [...at, escaped(keyword)], found);
    if (why !== null) return why;
  }
  return null;
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function checkValue(reading: Reading, value: Json, at: string[], found: Found): string | null {
  switch (reading) {
    case 'data':
      return null;
    case 'schema':
      return checkSchema(value, at, found);
    case 'schemas':
      return Array.isArray(value)
        ? firstOf([...value.entries()], ([index, item]) => checkSchema(item, [...at, String(index)], found))
        : 'a list of schemas is missing';
    case 'by-name':
      return checkNamed(value, at, found);
    case 'pattern':
      return checkPattern(value);
    case 'reference':
      // A remote reference would make the checker fetch what the agent names.
      if (typeof value !== 'string' || !value.startsWith('#')) return 'it refers to a schema elsewhere';
      found.references.push(value);
      return null;
    default:
      return assertNever(reading);
  }
}

/** What is referred to is a schema of the copy that is compiled. */
function checkReferences({ places, references }: Found): string | null {
  const isThere = (reference: string): boolean => {
    const pointer = decoded(reference.slice(1));
    return pointer === '' || (pointer !== null && pointer.startsWith('/') && places.has(pointer.slice(1)));
  };
  return references.every(isThere) ? null : 'it refers to a part that is not there';
}

function decoded(pointer: string): string | null {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return null;
  }
}

function checkNamed(value: Json, at: string[], found: Found): string | null {
  if (!isObject(value)) return 'its named schemas are not an object';
  const names = Object.keys(value);
  if (names.some((name) => name === '__proto__' || name === 'constructor' || name === 'prototype')) {
    return 'it names a property that is not allowed';
  }
  found.properties += names.length;
  return firstOf(Object.entries(value), ([name, item]) => checkSchema(item, [...at, escaped(name)], found));
}

function checkPattern(value: Json): string | null {
  if (typeof value !== 'string') return 'a pattern is not a text';
  return value.length > profileLimits.maxPatternChars ? 'a pattern is too long' : null;
}

function firstOf<T>(items: readonly T[], check: (item: T) => string | null): string | null {
  for (const item of items) {
    const why = check(item);
    if (why !== null) return why;
  }
  return null;
}
