import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { check } from '../../../src/cli/operate/doctor.ts';

const dir = mkdtempSync(join(tmpdir(), 'holdpoint-check-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What `holdpoint check` writes about a configuration. */
function checked(text: string): { out: string; err: string } {
  const path = join(dir, 'holdpoint.yaml');
  writeFileSync(path, text);
  const output = { out: '', err: '' };
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation((words) => ((output.out += String(words)), true)),
    jest.spyOn(process.stderr, 'write').mockImplementation((words) => ((output.err += String(words)), true)),
  ];
  try {
    check({ config: path });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return output;
}

describe('holdpoint check', () => {
  test('warns about a key of the evidence without a place outside the database for what it signs', () => {
    process.env['HOLDPOINT_EVIDENCE_KEY'] = 'ab'.repeat(32);
    try {
      expect(checked('{}\n').err).toContain('set evidence.file');
      expect(checked('evidence: { file: heads.jsonl }\n').err).toBe('');
    } finally {
      delete process.env['HOLDPOINT_EVIDENCE_KEY'];
    }
  });

  test('warns of a key that api and worker refuse, with its line', () => {
    const keys = (key: string): string => `auth:\n  keys:\n    - { user: anna, key: ${key} }\n`;
    const { out, err } = checked(keys('a-key-of-anna-123'));
    expect(out).toContain('valid');
    expect(err).toMatch(/^warning: .*:3:26 auth\.keys\[0\]\.key: .* fewer than 32 .*: api and worker refuse/);
    expect(checked(keys('a'.repeat(32))).err).toBe('');
  });

  test('says that a configuration is valid, and nothing else where everything fits', () => {
    const { out, err } = checked('agents: { a: { url: http://a, policy: p } }\npolicies: { p: {} }\n');
    expect(out).toContain('holdpoint.yaml: valid (1 agent, 1 policy)');
    expect(err).toBe('');
  });

  test('says what is hardly meant on standard error, with its line, and calls the file valid', () => {
    const { out, err } = checked('agents: { a: { url: http://a } }\npolicies:\n  p: {}\n');
    expect(out).toContain('valid');
    expect(err).toMatch(/^warning: .*holdpoint\.yaml:3:3 policies\.p: no agent uses this policy/);
  });

  test('names every fault of a configuration that is not', () => {
    expect(() => checked('policies:\n  p: { notify: [x] }\n  q: { quorum: 2 }\n')).toThrow(
      /:2:17 policies\.p\.notify\[0\].*\n.*:3:16 policies\.q\.quorum/,
    );
  });
});
