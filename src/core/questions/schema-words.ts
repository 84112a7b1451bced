// JSON Schema as generators write it, read as 2020-12: words of older drafts and of OpenAPI for what they are.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { canonicalJson, isObject, objectOf } from '../base/json.ts';

/** How each keyword's value is read on: as data, as one schema, as a list of schemas, or as schemas by name. */
export type Reading = 'data' | 'schema' | 'schemas' | 'by-name' | 'pattern' | 'reference';

const readings = new Map<string, Reading>([
  ...words('data', '$schema $comment title description default examples deprecated readOnly writeOnly'),
  ...words('data', 'type enum const format required dependentRequired'),
  ...words('data', 'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...words('data', 'minItems maxItems uniqueItems minContains maxContains minProperties maxProperties'),
  ...words('schema', 'items contains additionalProperties propertyNames not if then else'),
  ...words('schemas', 'allOf anyOf oneOf prefixItems'),
  ...words('by-name', 'properties patternProperties dependentSchemas $defs'),
  ...words('pattern', 'pattern'),
  ...words('reference', '$ref'),
]);

/** Words of some draft that forbid values, or change what others mean, and are not applied here: no annotations. */
const notApplied = new Set(
  (
    'unevaluatedProperties unevaluatedItems additionalItems dependencies definitions extends disallow divisibleBy ' +
    '$async $data $dynamicRef $recursiveRef $recursiveAnchor $id'
  ).split(' '),
);

function words(reading: Reading, names: string): [string, Reading][] {
  return names.split(' ').map((name) => [name, reading]);
}

/** Null: an annotation, which says nothing about values; 'refused': it may forbid what nothing here would. */
export function readingOf(keyword: string): Reading | 'refused' | null {
  return readings.get(keyword) ?? (notApplied.has(keyword) ? 'refused' : null);
}

/** The same schema in the words of 2020-12; annotations are kept as they are, and what has no such words is left. */
export function modern(schema: JsonObject): JsonObject {
  const { $id: _address, definitions, ...rest } = schema;
  const isMoved = definitions !== undefined && isJoint(rest['$defs'], definitions);
  const own = isMoved
    ? { ...rest, $defs: { ...objectOf(definitions), ...objectOf(rest['$defs']) } }
    : { ...rest, ...(definitions === undefined ? {} : { definitions }) };
  const read = atRoot(objectOf(modernSchema(own, isMoved)));
  return read['type'] === undefined && isObject(read['properties']) ? { ...read, type: 'object' } : read;
}

/** A schema that is nothing but a reference is what it refers to: Pydantic writes models so that contain themselves. */
function atRoot(schema: JsonObject): JsonObject {
  const { $ref: reference, $defs, ...own } = schema;
  const name = typeof reference === 'string' ? (/^#\/\$defs\/([^/~%]+)$/u.exec(reference)?.[1] ?? '') : '';
  const target = objectOf(Object.hasOwn(objectOf($defs), name) ? objectOf($defs)[name] : undefined);
  const isAlone = Object.keys(own).every(
    (keyword) =>
      readingOf(keyword) === null || !(keyword in target) || own[keyword] === target[keyword] || isWords(keyword),
  );
  if (!isObject(target['properties']) || '$ref' in target || '$defs' in target || !isAlone) return schema;
  return { ...target, ...own, ...($defs === undefined ? {} : { $defs }) };
}

const isWords = (keyword: string): boolean => ['$schema', '$comment', 'title', 'description'].includes(keyword);

/** Whether both are maps that give no name two meanings. */
function isJoint(defs: Json | undefined, definitions: Json): boolean {
  if (!isObject(definitions) || !(defs === undefined || isObject(defs))) return false;
  return Object.entries(definitions).every(
    ([name, one]) =>
      !Object.hasOwn(objectOf(defs), name) || canonicalJson(objectOf(defs)[name] ?? null) === canonicalJson(one),
  );
}

function modernSchema(schema: Json, isMoved: boolean): Json {
  if (!isObject(schema)) return schema;
  const inner = (value: Json): Json => modernSchema(value, isMoved);
  const own = [withItems, withDependencies, withBounds, withNull, withNames, withoutAddress].reduce(
    (read, step) => step(read),
    schema,
  );
  return Object.fromEntries(
    Object.entries(own).map(([keyword, value]): [string, Json] => {
      switch (readingOf(keyword)) {
        case 'schema':
          return [keyword, inner(value)];
        case 'schemas':
          return [keyword, Array.isArray(value) ? value.map(inner) : value];
        case 'by-name':
          return [keyword, isObject(value) ? mapValues(value, inner) : value];
        case 'reference':
          return [
            keyword,
            isMoved && typeof value === 'string' ? value.replace(/^#\/definitions\//u, '#/$defs/') : value,
          ];
        default:
          return [keyword, value];
      }
    }),
  );
}

const mapValues = (source: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(source).map(([name, value]) => [name, change(value)]));

/** Draft 7: a list of `items` is one schema a place, and `additionalItems` those after them. */
function withItems(schema: JsonObject): JsonObject {
  const { additionalItems, items, ...rest } = schema;
  if (Array.isArray(items) && rest['prefixItems'] === undefined)
    return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
  // Without a list it says nothing.
  return items === undefined ? rest : { ...rest, items };
}

/** Draft 7: `dependencies` are names or schemas. */
function withDependencies(schema: JsonObject): JsonObject {
  const { dependencies, ...rest } = schema;
  if (!isObject(dependencies) || rest['dependentRequired'] !== undefined || rest['dependentSchemas'] !== undefined)
    return schema;
  const entries = Object.entries(dependencies);
  const named = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...rest,
    ...(named.length === 0 ? {} : { dependentRequired: Object.fromEntries(named) }),
    ...(schemas.length === 0 ? {} : { dependentSchemas: Object.fromEntries(schemas) }),
  };
}

/** Draft 4 and OpenAPI 3.0: a bound is exclusive by a flag next to it. */
function withBounds(schema: JsonObject): JsonObject {
  let read = schema;
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const { [flag]: isExclusive, [bound]: limit, ...rest } = read;
    if (typeof isExclusive !== 'boolean') continue;
    read = { ...rest, ...(limit === undefined ? {} : { [isExclusive ? flag : bound]: limit }) };
  }
  return read;
}

/** OpenAPI 3.0: `nullable` adds null to the type next to it, and to nothing else. */
function withNull(schema: JsonObject): JsonObject {
  const { nullable, ...rest } = schema;
  if (typeof nullable !== 'boolean') return schema;
  const types = [rest['type'] ?? []].flat();
  return nullable && types.length > 0 && !types.includes('null') ? { ...rest, type: [...types, 'null'] } : rest;
}

/** `enumNames` are the words of the choices. */
function withNames(schema: JsonObject): JsonObject {
  const { enum: values, enumNames: names, ...rest } = schema;
  if (!Array.isArray(values) || !Array.isArray(names) || rest['oneOf'] !== undefined) return schema;
  const isWhole = names.length === values.length && names.every((name) => typeof name === 'string');
  const areDistinct = new Set(values.map(canonicalJson)).size === values.length;
  if (!isWhole || !areDistinct) return schema;
  return { ...rest, oneOf: values.map((value, index) => ({ const: value, title: names[index] ?? '' })) };
}

/** An address of its own changes what references below it mean; where there are none, it is a name. */
function withoutAddress(schema: JsonObject): JsonObject {
  const { $id: address, ...rest } = schema;
  return address === undefined || hasReference(rest) ? schema : rest;
}

const hasReference = (value: Json): boolean =>
  Array.isArray(value)
    ? value.some(hasReference)
    : isObject(value) && ('$ref' in value || Object.values(value).some(hasReference));

/** The copy that a checker compiles: without annotations, which it would not know. */
export function withoutAnnotations(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      switch (readingOf(keyword)) {
        case null:
          return [];
        case 'schema':
          return [[keyword, bare(value)]];
        case 'schemas':
          return [[keyword, Array.isArray(value) ? value.map(bare) : value]];
        case 'by-name':
          return [[keyword, isObject(value) ? mapValues(value, bare) : value]];
        default:
          return [[keyword, value]];
      }
    }),
  );
}

const bare = (schema: Json): Json => (isObject(schema) ? withoutAnnotations(schema) : schema);
