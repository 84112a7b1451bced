import { expect, test } from '@jest/globals';
import { FencedError } from '../../../src/store/store.ts';
import { aClaim, aKey, aRun, onEachDatabase, token, tokens, upTo } from '../stores.ts';
import { endRun } from '../../rigs/store/store-writes.ts';

onEachDatabase(({ store }) => {
  // Promise S1
  test('entries of a run are numbered from 1 without gaps under 20 concurrent appenders', async () => {
    const { logId } = await aRun(store());
    const appends = upTo(20).flatMap((writer) =>
      upTo(5).map((n) => store().log.append(logId, aClaim.fence, tokens(1 + ((writer + n) % 4), `${writer}.${n}.`))),
    );
    const lastSeqs = await Promise.all(appends);
    const entries = await store().log.read(logId, 0);
    expect(entries.map((entry) => entry.seq)).toEqual(upTo(entries.length));
    expect(new Set(entries.map((entry) => entry.event['delta'])).size).toBe(entries.length);
    expect(Math.max(...lastSeqs)).toBe(entries.length);
    expect((await store().runs.openOf(aClaim.taskId)).find((run) => run.logId === logId)?.lastSeq).toBe(entries.length);
  });

  // Promise S2
  test('a fenced writer appends nothing more', async () => {
    const key = aKey();
    const { logId } = await aRun(store(), key);
    await store().log.append(logId, aClaim.fence, tokens(2));
    await store().runs.claim(key, { ...aClaim, fence: aClaim.fence + 1 });
    await expect(store().log.append(logId, aClaim.fence, tokens(1))).rejects.toThrow(FencedError);
    expect(await store().log.append(logId, aClaim.fence + 1, tokens(1))).toBe(3);
    expect(await store().log.read(logId, 0)).toHaveLength(3);
  });

  test('nothing is appended to a run that is over', async () => {
    const { logId } = await aRun(store());
    await endRun(store(), logId, aClaim.fence, 'success');
    await expect(store().log.append(logId, aClaim.fence, tokens(1))).rejects.toThrow(FencedError);
  });

  test('an empty append checks the fence and takes no number', async () => {
    const { logId } = await aRun(store());
    await store().log.append(logId, aClaim.fence, tokens(3));
    expect(await store().log.append(logId, aClaim.fence, [])).toBe(3);
    await expect(store().log.append(logId, aClaim.fence - 1, [])).rejects.toThrow(FencedError);
  });

  test('what another hand says goes between the words of the writer, whatever its fence, and not after the end', async () => {
    const { logId } = await aRun(store());
    const words = upTo(20).map((n) => store().log.append(logId, aClaim.fence, tokens(3, `${n}.`)));
    const other = upTo(5).map((n) => store().log.appendAlongside(logId, tokens(2, `beside ${n}.`)));
    await Promise.all([...words, ...other]);
    const entries = await store().log.read(logId, 0);
    expect(entries.map(({ seq }) => seq)).toEqual(upTo(70));
    const concurrent = entries.filter(({ event }) => String(event['delta']).startsWith('beside'));
    // What was written together stays together.
    expect(concurrent.filter((_, index) => index % 2 === 0).map(({ seq }) => seq + 1)).toEqual(
      concurrent.filter((_, index) => index % 2 === 1).map(({ seq }) => seq),
    );
    await endRun(store(), logId, aClaim.fence, 'success');
    expect(await store().log.appendAlongside(logId, tokens(1))).toBe(false);
    expect(await store().log.read(logId, 70)).toEqual([]);
  });

  test('text with NUL, lone surrogates, quotes and backslashes comes back as it went in', async () => {
    const { logId } = await aRun(store());
    const texts = [
      '\0',
      'a\0b',
      '\ud800',
      '\udfff\ud800',
      '"{},\\',
      '\\u0000',
      '\n\r\t\u2028',
      '😀',
      '',
      'null',
      "'; --",
    ];
    const events = texts.map((text) => ({ ...token(text), [text]: { __proto__: null, nested: [text] } }));
    await store().log.append(logId, aClaim.fence, events);
    const entries = await store().log.read(logId, 0);
    expect(entries.map((entry) => JSON.stringify(entry.event))).toEqual(events.map((event) => JSON.stringify(event)));
  });

  test('an event of 3 MiB comes back whole', async () => {
    const { logId } = await aRun(store());
    await store().log.append(logId, aClaim.fence, [token('x'.repeat(3 * 1024 * 1024))]);
    const [entry] = await store().log.read(logId, 0);
    expect(entry?.event['delta']).toHaveLength(3 * 1024 * 1024);
  });

  test('a log is read after a number, up to a limit', async () => {
    const { logId } = await aRun(store());
    await store().log.append(logId, aClaim.fence, tokens(10));
    expect((await store().log.read(logId, 4, 3)).map((entry) => entry.seq)).toEqual([5, 6, 7]);
    expect(await store().log.read(logId, 10)).toEqual([]);
  });

  test('a log is read to any limit, however many of its entries were written at once', async () => {
    const { logId } = await aRun(store());
    for (const count of [7, 1, 230, 2]) await store().log.append(logId, aClaim.fence, tokens(count));
    for (const after of [0, 3, 7, 8, 107, 150, 239])
      for (const limit of [1, 5, 100, 131, 500]) {
        const wanted = upTo(240)
          .filter((seq) => seq > after)
          .slice(0, limit);
        expect((await store().log.read(logId, after, limit)).map(({ seq }) => seq)).toEqual(wanted);
      }
  });
});
