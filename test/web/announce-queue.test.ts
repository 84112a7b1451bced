import { describe, expect, test } from '@jest/globals';
import {
  announceEveryMs,
  emptyQueue,
  queueFresh,
  queueText,
  takeNext,
} from '../../web/src/base/page/announce-queue.ts';

const words = (count: number): string => `${count} new questions`;

describe('what screen readers announce', () => {
  test('what screen readers announce comes at most once in three seconds', () => {
    const first = takeNext(queueText(queueText(emptyQueue, 'one'), 'two'), 10_000, words);
    expect(first).toMatchObject({ say: 'one' });
    if (first === null || 'waitMs' in first) throw new Error('nothing was said');
    expect(takeNext(first.queue, 11_000, words)).toEqual({ waitMs: announceEveryMs - 1_000 });
    expect(takeNext(first.queue, 13_000, words)).toMatchObject({ say: 'two' });
  });

  test('what screen readers announce of three new questions is one message', () => {
    const queue = [1, 1, 1].reduce(queueFresh, emptyQueue);
    expect(takeNext(queue, 0, words)).toMatchObject({ say: '3 new questions' });
  });

  test('what screen readers announce is never twice the same while it waits, and never a long backlog', () => {
    const queue = ['a', 'a', 'b', 'c', 'd', 'e', 'f'].reduce(queueText, emptyQueue);
    expect(queue.waiting).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  test('what screen readers announce is nothing when nothing happened', () => {
    expect(takeNext(emptyQueue, 0, words)).toBeNull();
  });
});
