// What each release kept (`npm run release`), and where today's interface or tables break with it.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../source-tree.ts';

const releases = join(root, 'test/releases');

/** Versions that are kept. */
export const keptReleases = (): string[] =>
  existsSync(releases)
    ? readdirSync(releases, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];

export const keptIn = (version: string, name: string): string => join(releases, version, name);

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

export interface Interface {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** What a program written for `before` would miss in `now`, a sentence each. */
export function brokenBy(before: Interface, now: Interface): string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `${method} ${path}`;
      const next = now.paths[path]?.[method];
      if (next === undefined) return [`${name} is gone`];
      return [
        ...answersOf(name, [before, operation], [now, next]),
        ...bodiesOf(name, [before, operation], [now, next]),
        ...parametersOf(name, operation, next),
      ];
    }),
  );
}

type Of<T> = [Interface, T];

function answersOf(name: string, [before, was]: Of<Operation>, [now, is]: Of<Operation>): string[] {
  return Object.entries(was.responses ?? {}).flatMap(([status, { content = {} }]) => {
    if (!status.startsWith('2')) return [];
    if (is.responses?.[status] === undefined) return [`${name} answers ${status} no more`];
    return Object.entries(content).flatMap(([type, { schema }]) =>
      missing(
        `${name} ${status}`,
        [before, schema ?? {}],
        [now, is.responses?.[status]?.content?.[type]?.schema ?? {}],
      ),
    );
  });
}

/** A parameter that is read no more, or that a call needs from now on. */
function parametersOf(name: string, { parameters: was = [] }: Operation, { parameters: is = [] }: Operation): string[] {
  const find = (list: Parameter[], one: Parameter): Parameter | undefined =>
    list.find((other) => other.name === one.name && other.in === one.in);
  return [
    ...was.flatMap((one) => (find(is, one) === undefined ? [`${name} reads no ${one.in} ${one.name} any more`] : [])),
    ...is.flatMap((one) =>
      one.required === true && find(was, one)?.required !== true ? [`${name} needs ${one.in} ${one.name} now`] : [],
    ),
  ];
}

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());

/** What an answer had and has no more; each schema once. */
function missing(name: string, [before, was]: Of<Schema>, [now, is]: Of<Schema>, seen = new Set<string>()): string[] {
  if (was.$ref !== undefined) {
    if (seen.has(was.$ref)) return [];
    seen.add(was.$ref);
  }
  const [old, next] = [resolved(before, was), resolved(now, is)];
  const fields = Object.entries(old.properties ?? {}).flatMap(([field, schema]) => {
    const there = next.properties?.[field];
    if (there === undefined) return [`${name} has no ${field} any more`];
    const [types, others] = [typesOf(resolved(before, schema)), typesOf(resolved(now, there))];
    const added = types.length === 0 ? [] : others.filter((type) => !types.includes(type));
    if (added.length > 0) return [`${name} ${field} may be ${added.join(' or ')} now`];
    return missing(`${name} ${field}`, [before, schema], [now, there], seen);
  });
  const items = old.items === undefined ? [] : missing(`${name}[]`, [before, old.items], [now, next.items ?? {}], seen);
  return [...fields, ...items];
}

/** What a request must have now and did not need. */
function bodiesOf(name: string, [before, was]: Of<Operation>, [now, is]: Of<Operation>): string[] {
  return Object.entries(is.requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    const old = resolved(before, was.requestBody?.content?.[type]?.schema ?? {}).required ?? [];
    const added = (resolved(now, schema ?? {}).required ?? []).filter((field) => !old.includes(field));
    return added.map((field) => `${name} needs ${field} now`);
  });
}

const resolved = ({ components }: Interface, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {});
