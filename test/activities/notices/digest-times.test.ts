// When a person's digests are due, by their own choice of times.
import { expect, test } from '@jest/globals';
import { digestMomentsOf } from '../../../src/activities/notices/digest-queue.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { createCalendars } from '../../../src/host/calendar/calendar.ts';

/** The next three of them after a moment. */
function dueAfter(after: string, digest: { zone: string; at: string[]; days?: string }): string[] {
  const agents = { fake: { url: 'http://127.0.0.1:1/' } };
  const config = ConfigSchema.parse({ agents, users: { finn: { email: 'finn@example.org', digest } } });
  const due: string[] = [];
  for (const ms of digestMomentsOf({ config, windowsOf: createCalendars() }, 'finn')?.(Date.parse(after)) ?? []) {
    due.push(new Date(ms).toISOString());
    if (due.length === 3) break;
  }
  return due;
}

test('Each of two times a minute apart has its digest, also over midnight', () => {
  const at = ['09:01', '09:00', '09:02'];
  expect(dueAfter('2026-11-27T09:00:00Z', { zone: 'UTC', at })).toEqual([
    '2026-11-27T09:01:00.000Z',
    '2026-11-27T09:02:00.000Z',
    '2026-11-28T09:00:00.000Z',
  ]);
  expect(dueAfter('2026-11-27T12:00:00Z', { zone: 'UTC', at: ['00:00', '23:59'] })).toEqual([
    '2026-11-27T23:59:00.000Z',
    '2026-11-28T00:00:00.000Z',
    '2026-11-28T23:59:00.000Z',
  ]);
});

test('On days on which the clocks change each chosen time has one digest', () => {
  const digest = { zone: 'Europe/Berlin', at: ['02:30', '02:59'] };
  // From two to three o’clock there is nothing: both come at the change.
  expect(dueAfter('2026-03-28T12:00:00Z', digest)).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
    '2026-03-30T00:59:00.000Z',
  ]);
  expect(dueAfter('2026-10-24T12:00:00Z', digest)).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T00:59:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
});
