// What rules are judged on where a question has not all that its agent sent: every object in what was sent, so that none can
// be kept from a rule by the shape around it.
import type { Facts } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { isObject, objectOf, parseJson } from '../../../../core/base/json.ts';
import type { Pause } from './dialect.ts';
import { withoutSecretValues } from './secret-fields.ts';

/** With more of them the whole is not read. */
const maxObjects = 20_000;
const maxDepth = 100;

/** All objects in these values, with forms as their values and JSON in texts as what it says; null: there are too many. */
export function objectsIn(values: readonly Json[]): JsonObject[] | null {
  const found: JsonObject[] = [];
  const isRead = values.every((value) => collect(value, found, 0));
  return isRead ? found : null;
}

function collect(value: Json, found: JsonObject[], depth: number): boolean {
  if (depth > maxDepth || found.length > maxObjects) return false;
  if (typeof value === 'string') {
    const inside = /^\s*[[{]/u.test(value) ? parseJson(value) : null;
    return inside === null || inside === undefined || collect(inside, found, depth + 1);
  }
  if (Array.isArray(value)) {
    const fields = proposedBy(value);
    if (fields !== null) found.push(fields);
    return value.every((item) => collect(item, found, depth + 1));
  }
  if (!isObject(value)) return true;
  found.push(value);
  const defaults = Object.entries(objectOf(value['properties'])).flatMap(([name, property]): [string, Json][] => {
    const given = objectOf(property)['default'];
    return given === undefined ? [] : [[name, given]];
  });
  if (defaults.length > 0) found.push(Object.fromEntries(defaults));
  return Object.values(value).every((item) => collect(item, found, depth + 1));
}

/** The values that a list of fields proposes, by name; null where it is no such list. */
export function proposedBy(fields: readonly Json[]): JsonObject | null {
  const values = fields.flatMap((field): [string, Json][] => {
    const { name, id, key, default: proposed, value } = objectOf(field);
    const named = name ?? id ?? key;
    const given = proposed ?? value ?? null;
    return typeof named === 'string' && given !== null ? [[named, given]] : [];
  });
  return values.length === 0 ? null : Object.fromEntries(values);
}

const valuesIn = ({ message, earlier = [], artifacts = [] }: Pause): Json[] => {
  const parts = [...(message?.parts ?? []), ...earlier, ...artifacts.flatMap((artifact) => artifact.parts)];
  return [
    ...parts.flatMap((part) => (part.kind === 'data' ? [part.data] : [])),
    ...Object.values(message?.metadata ?? {}).filter((value) => typeof value === 'object'),
  ];
};

/** Data in the parts of a pause and what extensions say in its metadata, without secrets. */
export const dataOfPause = (pause: Pause): Json[] => valuesIn(pause).map(withoutSecretValues);

export const hasData = (pause: Pause): boolean => valuesIn(pause).length > 0;

/** Of a question in words in the place of one that cannot be shown: as what and of which kind it was meant is not known. */
export const factsInWords = (pause: Pause, dialects: readonly string[]): Facts => ({
  kind: null,
  dialects: [...dialects],
  title: null,
  data: () => objectsIn(dataOfPause(pause)),
});

/** Of the arguments of a call as they were sent: what is no object cannot be judged, unless it is one as text. */
export function factsOfArgs(args: Json | undefined): { facts?: Facts } {
  if (args === undefined || args === null || isObject(args)) return {};
  const inside = typeof args === 'string' ? parseJson(args) : undefined;
  return { facts: { data: isObject(inside) ? () => [inside] : null } };
}
