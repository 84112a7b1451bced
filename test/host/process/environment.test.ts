import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  formatEnvironmentProblems,
  readEnvironment,
  type TemporalEnvironment,
} from '../../../src/host/process/environment.ts';
import { temporalTarget } from '../../../src/host/temporal/temporal-connection.ts';

const dir = mkdtempSync(join(tmpdir(), 'standfast-env-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const temporalOf = (env: NodeJS.ProcessEnv): TemporalEnvironment => {
  const read = readEnvironment(env);
  if (!read.ok) throw new Error(formatEnvironmentProblems(read.problems));
  return read.environment.temporal;
};

describe('the environment', () => {
  // Promise U6
  test.each(
    ['STANDFAST_SEAL_KEY', 'STANDFAST_CODEC_KEY', 'STANDFAST_EVIDENCE_KEY'].flatMap((name) =>
      ['short', 'a key of at least thirty-two characters', '5e'.repeat(33)].map((key) => [name, key] as const),
    ),
  )('the environment refuses a %s that is not 64 hex digits, and does not repeat it: %s', (name, key) => {
    const read = readEnvironment({ [name]: key });
    const problems = read.ok ? '' : formatEnvironmentProblems(read.problems);
    expect(problems).toContain(`${name}: expected 64 hex digits`);
    expect(problems).not.toContain(key);
    expect(readEnvironment({ [name]: '5E'.repeat(32) }).ok).toBe(true);
  });

  test.each(['STANDFAST_SEAL_KEY_OLD', 'STANDFAST_CODEC_KEY_OLD'])(
    'the environment has earlier keys in %s, with commas between, and refuses what is none',
    (name) => {
      const read = readEnvironment({ [name]: `${'5E'.repeat(32)}, ${'6f'.repeat(32)}` });
      const { oldSealKeys, oldCodecKeys } = read.ok ? read.environment : { oldSealKeys: [], oldCodecKeys: [] };
      expect([...oldSealKeys, ...oldCodecKeys]).toEqual(['5e'.repeat(32), '6f'.repeat(32)]);
      expect(readEnvironment({ [name]: 'short' }).ok).toBe(false);
    },
  );

  test('the environment is read by its published names', () => {
    expect(
      readEnvironment({
        STANDFAST_PORT: '9000',
        STANDFAST_CONFIG: 'a.yaml',
        STANDFAST_LOG_LEVEL: 'debug',
        DATABASE_URL: 'postgres://u:p@h/d',
        TEMPORAL_ADDRESS: 'temporal:7233',
      }),
    ).toMatchObject({
      ok: true,
      environment: {
        port: 9000,
        configPath: 'a.yaml',
        logLevel: 'debug',
        databaseUrl: 'postgres://u:p@h/d',
        temporal: { address: 'temporal:7233' },
      },
    });
  });

  test('the environment counts an empty variable as not set', () => {
    expect(readEnvironment({ STANDFAST_PORT: '', TEMPORAL_TLS: '' })).toMatchObject({
      environment: { port: undefined },
    });
  });

  test.each([
    ['STANDFAST_PORT', '70000'],
    ['STANDFAST_PORT', 'http'],
    ['STANDFAST_LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://secret@h'],
    ['TEMPORAL_ADDRESS', 'http://temporal'],
    ['TEMPORAL_TLS', 'maybe'],
    ['TEMPORAL_TLS_DISABLE_HOST_VERIFICATION', 'true'],
  ])('a wrong %s is refused by its name, without its value', (name, value) => {
    const read = readEnvironment({ [name]: value });
    expect(read).toMatchObject({ ok: false, problems: [{ variable: name }] });
    expect(read.ok ? '' : formatEnvironmentProblems(read.problems)).not.toContain('secret');
  });
});

describe('the way to Temporal', () => {
  test('the way to Temporal is unknown without an address', () => {
    expect(temporalTarget(temporalOf({}))).toBeNull();
  });

  test('the way to Temporal has the usual port and namespace, and no TLS, by default', () => {
    expect(temporalTarget(temporalOf({ TEMPORAL_ADDRESS: 'temporal' }))).toEqual({
      address: 'temporal:7233',
      namespace: 'default',
      connection: { address: 'temporal:7233', tls: false },
    });
  });

  test('the way to Temporal uses TLS with an API key, unless configured otherwise', () => {
    const env = { TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_API_KEY: 'k', TEMPORAL_NAMESPACE: 'ns.acct' };
    expect(temporalTarget(temporalOf(env))).toMatchObject({
      namespace: 'ns.acct',
      connection: { tls: {}, apiKey: 'k' },
    });
    expect(temporalTarget(temporalOf({ ...env, TEMPORAL_TLS: 'false' }))).toMatchObject({ connection: { tls: false } });
  });

  test('the way to Temporal takes certificates from files or from the variables themselves', () => {
    const file = join(dir, 'client.pem');
    writeFileSync(file, 'CERT');
    const target = temporalTarget(
      temporalOf({
        TEMPORAL_ADDRESS: 'cloud',
        TEMPORAL_TLS_CLIENT_CERT_PATH: file,
        TEMPORAL_TLS_CLIENT_KEY_DATA: 'KEY',
        TEMPORAL_TLS_SERVER_NAME: 'cloud.example',
      }),
    );
    expect(target?.connection.tls).toEqual({
      clientCertPair: { crt: Buffer.from('CERT'), key: Buffer.from('KEY') },
      serverNameOverride: 'cloud.example',
    });
  });

  test.each([
    [{ TEMPORAL_TLS_CLIENT_CERT_DATA: 'C' }, /belong together/],
    [
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/none/ca.pem' },
      /TEMPORAL_TLS_SERVER_CA_CERT_PATH=\/none\/ca\.pem cannot be read/,
    ],
    [{ TEMPORAL_TLS_CLIENT_KEY_DATA: 'K', TEMPORAL_TLS_CLIENT_KEY_PATH: 'x' }, /expected one of them/],
  ])('the way to Temporal by %j is refused by name', (env, expected) => {
    expect(() => temporalTarget(temporalOf({ TEMPORAL_ADDRESS: 'cloud', ...env }))).toThrow(expected);
  });
});
