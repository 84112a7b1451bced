// Which errors of PostgreSQL are an outage, answered with 503 and tried again, and which are faults, answered with 500.
import { describe, expect, test } from '@jest/globals';
import { isOutage } from '../../../src/store/database/plain-errors.ts';

const codes: [string, string, boolean][] = [
  ['08006', 'connection failure', true],
  ['53300', 'too many connections', true],
  ['53100', 'disk full', true],
  ['57P01', 'admin shutdown', true],
  ['57P03', 'cannot connect now', true],
  ['57014', 'query canceled by a time-out', true],
  ['25P03', 'idle in a transaction for too long', true],
  ['25006', 'read-only after a failover', true],
  ['23505', 'unique violation', false],
  ['22P05', 'untranslatable character', false],
  ['25P02', 'in a failed transaction', false],
  ['40001', 'serialization failure', false],
  ['42P01', 'undefined table', false],
  ['42501', 'insufficient privilege', false],
];

describe('errors of PostgreSQL', () => {
  test.each(codes)('the SQLSTATE %s (%s) is an outage: %s', (code, _name, expected) => {
    expect(isOutage(Object.assign(new Error('refused'), { code }))).toBe(expected);
  });

  test('a statement of a process that has closed its connections is an outage', () => {
    expect(isOutage(new Error('Cannot use a pool after calling end on the pool'))).toBe(true);
  });
});
