import { describe, expect, test } from '@jest/globals';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import {
  addToBatch,
  emptyBatch,
  flushEveryMs,
  flushInMs,
  isNewBuild,
  lastRetryMs,
  readStreamEvent,
  retryDelayMs,
  takeBatch,
} from '../../../web/src/base/live/stream-state.ts';
import { aRow } from './rows.ts';

const event = (
  id: string,
  version: number,
  change: Partial<HoldRowView> = {},
): { id: string; version: number; row: HoldRowView } => ({
  id,
  version,
  row: aRow({ id, version, ...change }),
});

describe('events of one frame', () => {
  test('events of one frame are one batch, of each hold the newest', () => {
    const batch = emptyBatch();
    addToBatch(batch, event('a', 1));
    addToBatch(batch, event('b', 1));
    addToBatch(batch, event('a', 2, { title: 'newer' }));
    expect(takeBatch(batch).map(({ id, title }) => [id, title])).toEqual([
      ['a', 'newer'],
      ['b', 'Pay invoice?'],
    ]);
    expect(takeBatch(batch)).toEqual([]);
  });

  test('events of one frame that are older than what was shown are dropped, whenever they come', () => {
    const batch = emptyBatch();
    expect(addToBatch(batch, event('a', 3))).toBe(true);
    takeBatch(batch);
    expect(addToBatch(batch, event('a', 2))).toBe(false);
    expect(addToBatch(batch, event('a', 3))).toBe(false);
    expect(takeBatch(batch)).toEqual([]);
  });

  test('events of one frame reach the list at most four times a second', () => {
    expect(flushInMs(Number.NEGATIVE_INFINITY, 0)).toBe(0);
    expect(flushInMs(1_000, 1_100)).toBe(flushEveryMs - 100);
    expect(1_000 / flushEveryMs).toBeLessThanOrEqual(4);
  });
});

describe('a lost connection', () => {
  test('a lost connection is tried again after half a second at most, then ever later, never later than 15 s', () => {
    expect(retryDelayMs(0, 0.999)).toBeLessThanOrEqual(500);
    const tops = [0, 1, 2, 3, 4, 5, 50].map((attempt) => retryDelayMs(attempt, 0.999));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(retryDelayMs(50, 0.999)).toBeLessThanOrEqual(lastRetryMs);
  });

  test('a lost connection is not tried again by all browsers at once', () => {
    expect(retryDelayMs(5, 0)).toBe(lastRetryMs / 2);
    expect(retryDelayMs(5, 0.5)).toBeGreaterThan(lastRetryMs / 2);
  });
});

describe('a message of the stream', () => {
  test('a message of the stream that is broken or of another name is left out', () => {
    expect(readStreamEvent('hold', '{')).toBeNull();
    expect(readStreamEvent('other', '{}')).toBeNull();
    expect(readStreamEvent(undefined, '{}')).toBeNull();
    expect(readStreamEvent('counts', '{"mine":1,"team":2,"all":3,"decided":4}')).toEqual({
      name: 'counts',
      data: { mine: 1, team: 2, all: 3, decided: 4 },
    });
  });

  test('a message of the stream that greets with another build tells of a new version, the first one never', () => {
    const hello = { now: '2026-01-01T00:00:00Z', build: 'b2' };
    expect(isNewBuild(null, hello)).toBe(false);
    expect(isNewBuild('b2', hello)).toBe(false);
    expect(isNewBuild('b1', hello)).toBe(true);
  });
});
