// The OpenAPI document as it is published: only the schemas that a route uses, each under its own name.
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { describedPaths, problemSchema } from './openapi-operations.ts';

type TransformObject = typeof jsonSchemaTransformObject;
type Schemas = Record<string, unknown>;

const prefix = '#/components/schemas/';

/** Names of the schemas that a part of the document refers to. */
function referredIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = '$ref' in part && typeof part.$ref === 'string' ? [part.$ref.slice(prefix.length)] : [];
  return [...own, ...Object.values(part).flatMap(referredIn)];
}

/** The schemas that routes use, directly or by another schema. */
function usedSchemas(paths: unknown, schemas: Schemas): Set<string> {
  const used = new Set<string>();
  const open = referredIn(paths);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    open.push(...referredIn(schemas[name]));
  }
  return used;
}

const isSeveral = (type: unknown): type is string[] =>
  Array.isArray(type) && type.filter((name) => name !== 'null').length > 1;

/** Schemas under their published names, with a value of several types as `anyOf`: generators take one type, or one and null. */
function renamed<T>(part: T, names: ReadonlyMap<string, string>): T {
  if (Array.isArray(part)) return part.map((item) => renamed(item, names)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]): [string, unknown] => {
    if (key === '$ref' && typeof value === 'string')
      return [key, prefix + (names.get(value.slice(prefix.length)) ?? value.slice(prefix.length))];
    return key === 'type' && isSeveral(value)
      ? ['anyOf', value.map((type) => ({ type }))]
      : [key, renamed(value, names)];
  });
  return Object.fromEntries(entries) as T;
}

/** The generator writes each schema twice, as it is sent and (`…Input`) as it is taken; most are used in one way alone. */
export function publishedDocument(input: Parameters<TransformObject>[0]): ReturnType<TransformObject> {
  const document = jsonSchemaTransformObject(input);
  if (!('components' in document)) return document;
  const schemas: Schemas = { ...document.components?.schemas };
  const used = usedSchemas(document.paths, schemas);
  const names = new Map(
    [...used].flatMap((name): [string, string][] => {
      const plain = name.replace(/Input$/, '');
      return plain !== name && plain in schemas && !used.has(plain) ? [[name, plain]] : [];
    }),
  );
  const kept = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]): [string, unknown] => [names.get(name) ?? name, schema])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const published: object = {
    ...document,
    paths: describedPaths(document.paths ?? {}),
    components: { ...document.components, schemas: { ...Object.fromEntries(kept), Problem: problemSchema } },
  };
  return renamed(published, names);
}
