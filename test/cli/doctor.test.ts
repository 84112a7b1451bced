import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { doctor, type Finding } from '../../src/cli/doctor.ts';
import { choosePort } from '../../src/host/free-port.ts';

let before: NodeJS.ProcessEnv;
beforeEach(() => void (before = { ...process.env }));
afterEach(() => {
  process.env = before;
  process.exitCode = undefined;
});

async function found(): Promise<Finding[]> {
  let out = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((words) => ((out += String(words)), true));
  try {
    await doctor({ json: true });
  } finally {
    spy.mockRestore();
  }
  return JSON.parse(out) as Finding[];
}

describe('holdpoint doctor', () => {
  test('says of a Temporal and a database that do not answer that they do not, where they were looked for, and ends with 1', async () => {
    const port = await choosePort([]);
    process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${port}`;
    process.env['DATABASE_URL'] = `postgres://me:hush@127.0.0.1:${port}/holdpoint`;
    const findings = await found();
    expect(findings.map(({ what, isWell }) => [what, isWell])).toEqual([
      ['node', true],
      ['configuration', true],
      // Its search attributes are not spoken of: what to do about them is not known yet.
      ['temporal', false],
      ['database', false],
    ]);
    const words = new Map(findings.map((finding) => [finding.what, finding.words]));
    expect(words.get('temporal')).toBe(
      `it does not answer — check TEMPORAL_ADDRESS=127.0.0.1:${port} and the namespace default`,
    );
    expect(words.get('database')).toContain(`127.0.0.1:${port}/holdpoint cannot be reached`);
    expect(JSON.stringify(findings)).not.toContain('hush');
    expect(process.exitCode).toBe(1);
  });
});
