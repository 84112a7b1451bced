// What came as JSON, read as what it should be; anything else is as if it were not there.
import type { JsonObject } from '../../contract/base/json.ts';

/** True for a JSON object: neither an array nor null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a JSON object, else an empty object. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The objects of a list. */
export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A text, or an empty one in place of anything else. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
