import { describe, expect, test } from '@jest/globals';
import { shareReads } from '../../../src/store/database/shared-reads.ts';
import { waitFor } from '../../rigs/wait-for.ts';

/** Reads that end when the test says so. */
function reads() {
  const begun: { key: string; end: (row: string) => void; fail: (error: Error) => void }[] = [];
  const get = shareReads((key: string) => new Promise<string>((end, fail) => void begun.push({ key, end, fail })));
  return { begun, get };
}

describe('reads of the same row', () => {
  test('reads of the same row that come while one runs share the next one, which begins after all of them', async () => {
    const { begun, get } = reads();
    const first = get('a');
    const later = [get('a'), get('a'), get('a')];
    expect(begun).toHaveLength(1);
    begun[0]?.end('before');
    expect(await first).toBe('before');
    await waitFor(() => begun.length === 2, 5_000, 'the next one');
    begun[1]?.end('after');
    expect(await Promise.all(later)).toEqual(['after', 'after', 'after']);
    void get('a');
    expect(begun).toHaveLength(3);
  });

  test('reads of the same row do not wait for those of another row', () => {
    const { begun, get } = reads();
    void get('a');
    void get('b');
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('reads of the same row that fail fail for those who shared them, and for no one later', async () => {
    const { begun, get } = reads();
    const first = get('a');
    const second = get('a');
    begun[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await waitFor(() => begun.length === 2, 5_000, 'the next one');
    begun[1]?.end('there');
    expect(await second).toBe('there');
  });
});
