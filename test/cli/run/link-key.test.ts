import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { check } from '../../../src/cli/doctor/doctor.ts';
import { linkKeyIn, linksFor } from '../../../src/cli/run/seal-key.ts';
import { runApi, runWorker } from '../../../src/cli/run/production.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { asError } from '../../rigs/as-error.ts';

const dir = mkdtempSync(join(tmpdir(), 'standfast-link-key-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const given = { ...process.env };
afterEach(() => {
  process.env = { ...given };
});

const channel = { type: 'mail' as const, server: 'smtp://127.0.0.1:1', from: 'a@example.org' };
const configOf = (decideLinks: boolean) =>
  ConfigSchema.parse({ notifications: { channels: { mail: { ...channel, decideLinks } } } });
const path = join(dir, 'standfast.yaml');
writeFileSync(path, `notifications: { channels: { mail: ${JSON.stringify({ ...channel, decideLinks: true })} } }\n`);

describe('links to decide by, without a key that no database holds,', () => {
  // Promise U6
  test.each([
    ['check', async () => check({ config: path, for: 'production' })],
    ['api', () => runApi({ config: path, json: false, port: 0 })],
    ['worker', () => runWorker({ config: path, json: false })],
  ])(
    'links to decide by, without a key that no database holds, are refused by `standfast %s`, which names STANDFAST_SEAL_KEY and the channel',
    async (_name, run) => {
      delete process.env['STANDFAST_SEAL_KEY'];
      // No database listens there: it is refused before anything is opened.
      process.env['DATABASE_URL'] = 'postgres://nobody@127.0.0.1:1/none';
      process.env['TEMPORAL_ADDRESS'] = '127.0.0.1:1';
      const refused = asError(await run().catch((error: unknown) => error));
      expect(refused.message).toContain('STANDFAST_SEAL_KEY');
      expect(refused.message).toContain('notifications.channels.mail.decideLinks');
    },
  );

  test('links to decide by, without a key that no database holds, are none, and need none, where no channel sends them', () => {
    expect(linksFor(configOf(false), undefined)).toBeNull();
    expect(linksFor(configOf(true), '5e'.repeat(32))).not.toBeNull();
  });

  // Promise U6
  test('links to decide by, without a key that no database holds, are made by `up` with a key of its own, kept next to its database for its user alone', () => {
    const key = linkKeyIn(dir);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(linkKeyIn(dir)).toBe(key);
    expect(statSync(join(dir, 'link.key')).mode & 0o777).toBe(0o600);
  });
});
