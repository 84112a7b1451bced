// docs/openapi.json, as generators of clients read it; test/api/pins.test.ts holds that it is what the api serves.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { operationIdOf } from '../../src/api/http/openapi-operations.ts';
import { problems } from '../../src/contract/base/problem.ts';
import { AskBodySchema, AskReplySchema } from '../../src/contract/views/ask.ts';

const ContentSchema = z.record(z.string(), z.object({ schema: z.unknown() }));
const OperationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  responses: z.record(z.string(), z.object({ content: ContentSchema.optional() })),
});
const { paths, components } = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), OperationSchema)),
    components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
  })
  .parse(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
const examplesOf = (name: string): unknown[] => z.array(z.unknown()).parse(components.schemas[name]?.['examples']);

/** Of parameters, members and values, at any depth. */
function namesIn(value: unknown, names = new Set<unknown>()): Set<unknown> {
  if (typeof value !== 'object' || value === null) return names;
  const { properties, name, enum: values, const: only } = value as Record<string, unknown>;
  if (typeof properties === 'object') for (const member of Object.keys(properties ?? {})) names.add(member);
  for (const one of [name, only, ...(Array.isArray(values) ? values : [])]) names.add(one);
  for (const inner of Object.values(value)) namesIn(inner, names);
  return names;
}

describe('the published interface', () => {
  // Promise CL12
  test('the generators that docs/agents.md prints are those by which the tests make clients', () => {
    const page = readFileSync('docs/agents.md', 'utf8');
    const rig = (path: string): string => readFileSync(`test/rigs/clients/${path}`, 'utf8');
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(rig('typescript/package.json')));
    const [generator = '', typescript = ''] = [dependencies['@hey-api/openapi-ts'], dependencies['typescript']];
    const [, tool] = /^tool (\S+)$/m.exec(rig('go/go.mod')) ?? [];
    expect(page).toContain(`@hey-api/openapi-ts ${generator.split('.', 2).join('.')} does not run next to`);
    expect(page).toContain(`npm install @hey-api/openapi-ts typescript@${typescript.split('.')[0]} &&`);
    expect(page).toContain(`go get -tool ${tool}\n`);
    expect(page).toContain(`go tool oapi-codegen -package standfast -generate types,client -o `);
    expect(readFileSync('scripts/generated-clients.mjs', 'utf8')).toContain("'-generate', 'types,client', '-o'");
  });

  // Promise CL12
  test('the published interface names each operation, each by a name of its own that a program may have', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(names.length).toBeGreaterThan(70);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    for (const { method, path, operationId } of operations) expect(operationIdOf(method, path)).toBe(operationId);
    expect(operationIdOf('get', '/agents')).not.toBe(operationIdOf('get', '/api/agents'));
  });

  // Promise CL12
  test('the published interface says of every refusal and failure which body it has', () => {
    const problem = { schema: { $ref: '#/components/schemas/Problem' } };
    for (const { path, method, responses } of operations) {
      const refusals = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
      expect([method, path, refusals.map(([status]) => status)]).toEqual([
        method,
        path,
        expect.arrayContaining(['4XX', '5XX']),
      ]);
      for (const [, { content }] of refusals) expect(content?.['application/problem+json']).toEqual(problem);
    }
    for (const code of Object.keys(problems)) expect(JSON.stringify(components.schemas['Problem'])).toContain(code);
  });

  test('the published interface names no parameter or member in its texts that it does not have', () => {
    const known = namesIn(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
    // An event of a stream, whose events it does not list.
    known.add('counts');
    const unknown = operations.flatMap(({ method, path, summary, description = '' }) =>
      [...`${summary} ${description}`.matchAll(/`([a-z][A-Za-z]*)`/g)]
        .filter(([, name = '']) => !known.has(name))
        .map(([name]) => `${method} ${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  test('the published interface has examples of a question and its answer that the api itself takes', () => {
    for (const example of examplesOf('AskBody')) expect(() => AskBodySchema.parse(example)).not.toThrow();
    for (const example of examplesOf('AskReply')) expect(() => AskReplySchema.parse(example)).not.toThrow();
  });
});
