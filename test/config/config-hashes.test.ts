import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { hashesOf } from '../../src/config/config-hashes.ts';
import { loadConfig } from '../../src/config/config.ts';

const text = `
# who may do what
auth:
  keys: [{ user: anna, key: "\${ANNA_KEY}" }]
policies:
  finance: { audience: [role:finance], quorum: 2 }
`;

// Promise E10
test('the hash of a configuration is that of its file, and of each section whatever its comments and order', () => {
  const { file, sections } = hashesOf(text);
  expect(file).toBe(createHash('sha256').update(text).digest('hex'));
  expect(Object.keys(sections)).toEqual(['auth', 'policies']);
  const other = hashesOf(
    text
      .replace('# who', '# all who')
      .replace('{ audience: [role:finance], quorum: 2 }', '{ quorum: 2, audience: [role:finance] }'),
  );
  expect(other.sections).toEqual(sections);
  expect(other.file).not.toBe(file);
  expect(hashesOf(text.replace('quorum: 2', 'quorum: 1')).sections['policies']).not.toBe(sections['policies']);
});

// Promise E10
test('the hash of a configuration is the same whatever its variables are, and has none of their values', () => {
  const of = (key: string): unknown => {
    const loaded = loadConfig({ text, env: { ANNA_KEY: key } });
    return loaded.ok ? loaded.hashes : loaded;
  };
  expect(of('a'.repeat(40))).toEqual(hashesOf(text));
  expect(of('b'.repeat(40))).toEqual(hashesOf(text));
  expect(loadConfig({ text: '', env: {} })).toMatchObject({ ok: true, hashes: { sections: {} } });
});
