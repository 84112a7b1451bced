// `standfast init`, and the JSON Schema of the configuration against files that `check` takes and refuses.
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { configJsonSchema } from '../../../src/config/config-json-schema.ts';
import { isObject, objectOf } from '../../../src/core/base/json.ts';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { runInProcess } from '../../rigs/product/command.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
for (const name of ['cidrv4', 'cidrv6']) ajv.addFormat(name, true);
const isValid = ajv.compile(configJsonSchema());

/** What editors and `check` make of the same text. */
function verdicts(text: string, env: NodeJS.ProcessEnv = {}): { editor: boolean; check: boolean } {
  return { editor: isValid(parse(text) ?? {}), check: loadConfig({ text, env }).ok };
}
const both = (is: boolean): { editor: boolean; check: boolean } => ({ editor: is, check: is });

interface Key {
  key: string;
  schema: JsonObject;
}

/** Every key that the schema names, with its own schema. */
function keysWithin(schema: Json): Key[] {
  if (Array.isArray(schema)) return schema.flatMap(keysWithin);
  if (!isObject(schema)) return [];
  const { properties } = schema;
  const own = Object.entries(isObject(properties) ? properties : {}).map(([key, value]) => ({
    key,
    schema: objectOf(value),
  }));
  return [...own, ...Object.values(schema).flatMap(keysWithin)];
}

describe('standfast init', () => {
  test('init writes a configuration that check takes, with the line by which editors find its schema', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'standfast-init-'));
    const file = join(folder, 'standfast.yaml');
    expect((await runInProcess(['init', '--config', file])).code).toBeNull();
    const text = readFileSync(file, 'utf8');
    const [, named = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? [];
    expect(JSON.parse(readFileSync(join(folder, named), 'utf8'))).toEqual(configJsonSchema());
    expect(verdicts(text)).toEqual(both(true));
    expect(loadConfig({ path: file, env: {} })).toMatchObject({ ok: true, warnings: [] });
    const uncommented = text.replace(/^# (auth:|  keys:|    - )/gm, '$1');
    const keys = { ANNA_KEY: 'a'.repeat(43), BOT_KEY: 'b'.repeat(43) };
    expect(verdicts(uncommented, keys)).toEqual(both(true));
  });

  test('init keeps a configuration that exists, and makes its schema new', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'standfast-init-'));
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, '# mine\n');
    expect((await runInProcess(['init', '--config', file])).out).toContain(`kept ${file}`);
    expect(readFileSync(file, 'utf8')).toBe('# mine\n');
    expect(readdirSync(folder).toSorted()).toEqual(['mine.yaml', 'standfast.schema.json']);
    const away = await runInProcess(['init', '--config', join(folder, 'none', 'standfast.yaml')]);
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') });
  });
});

/** Every schema of a text that has to fit a pattern; not that of a variable, which people mean by a text that is none. */
function patternsWithin(schema: Json): JsonObject[] {
  if (Array.isArray(schema)) return schema.flatMap(patternsWithin);
  if (!isObject(schema)) return [];
  const isPattern = typeof schema['pattern'] === 'string' && schema['pattern'] !== String.raw`\$\{[^}]+\}`;
  return [...(isPattern ? [schema] : []), ...Object.values(schema).flatMap(patternsWithin)];
}

describe('the JSON Schema of the configuration', () => {
  test('the JSON Schema of the configuration says in words what a text has to be, where it has a pattern', () => {
    const all = patternsWithin(configJsonSchema());
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter(({ patternErrorMessage: words }) => typeof words !== 'string' || words === '')).toEqual([]);
    const { policies } = objectOf(configJsonSchema()['properties'] ?? null);
    const text = JSON.stringify(policies);
    for (const words of ['expected a duration such as 500ms', 'expected role:<name>, user:<name>']) {
      expect(text).toContain(`"patternErrorMessage":"${words}`);
    }
  });

  test('the JSON Schema of the configuration takes every example that check takes', () => {
    const files = readdirSync('examples/policies').filter((name) => name.endsWith('.yaml'));
    expect(files.length).toBeGreaterThan(5);
    for (const name of [...files.map((one) => `policies/${one}`), 'quickstart/standfast.yaml']) {
      const text = readFileSync(join('examples', name), 'utf8');
      expect({ name, editor: isValid(parse(text)) }).toEqual({ name, editor: true });
    }
  });

  test('the JSON Schema of the configuration refuses what check refuses, and takes variables', () => {
    expect(verdicts('agents: { a: { url: http://127.0.0.1:1/, polcy: x } }')).toEqual(both(false));
    expect(verdicts('agents: { a: { title: no address } }')).toEqual(both(false));
    expect(verdicts('policies: { p: { audience: [finance] } }')).toEqual(both(false));
    expect(verdicts('policies: { p: { quorum: two } }')).toEqual(both(false));
    expect(verdicts('policies: { p: { expire: { after: 30 minutes } } }')).toEqual(both(false));
    expect(verdicts('auth: { keys: [{ user: a, kind: agnt, key: "${KEY}" }] }', { KEY: 'k'.repeat(43) })).toEqual(
      both(false),
    );
    expect(verdicts('agents: { a: { url: "${URL}" } }', { URL: 'http://127.0.0.1:1/' })).toEqual(both(true));
    expect(verdicts('server: { port: "${MANY}" }', { MANY: '2000' })).toEqual(both(true));
  });

  test('each key of the configuration has a sentence that says what it is, with its default', () => {
    const keys = keysWithin(configJsonSchema());
    expect(keys.length).toBeGreaterThan(150);
    expect(keys.filter(({ schema }) => !/^[A-Z`].+\.$/.test(String(schema['description'])))).toEqual([]);
    expect(keys.find(({ key }) => key === 'agentOutage')?.schema).toMatchObject({
      description: expect.stringContaining('Default: `10m`.'),
    });
  });
});
