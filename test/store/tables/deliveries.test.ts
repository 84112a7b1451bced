import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { onEachDatabase } from '../stores.ts';

onEachDatabase(({ store }) => {
  const aKey = () => ({ holdId: randomUUID(), channel: 'team', recipient: 'ana', message: 'opened.0' });

  test('A delivery that is begun twice at once has one row', async () => {
    const key = aKey();
    const begun = await Promise.all([store().deliveries.begin(key, 'a'), store().deliveries.begin(key, 'b')]);
    expect(new Set(begun.map(({ handle }) => handle)).size).toBe(1);
    expect(await store().deliveries.ofChannel(key.holdId, 'team')).toHaveLength(1);
  });

  test('A delivery keeps the first handle that its receiver gave', async () => {
    const key = aKey();
    await store().deliveries.begin(key);
    expect(await store().deliveries.sent(key, { ts: '1' })).toEqual({ ts: '1' });
    expect(await store().deliveries.sent(key, { ts: '2' })).toEqual({ ts: '1' });
    expect(await store().deliveries.get(key)).toMatchObject({ state: 'sent', handle: { ts: '1' } });
  });

  test('What waits for somebody’s digest is listed to them alone, oldest first, until it has ended', async () => {
    const key = aKey();
    const recipient = randomUUID();
    // In the order of those that begin in the same millisecond, too.
    const waiting = ['digest.decided.0', 'digest.opened.0'].map((message) => ({ ...key, recipient, message }));
    for (const one of waiting) await store().deliveries.begin(one);
    await store().deliveries.begin({ ...key, recipient, message: 'opened.0' });
    await store().deliveries.begin({ ...key, message: 'digest.opened.0' });
    expect(await store().deliveries.onDigest(recipient)).toMatchObject(waiting);
    for (const one of waiting.slice(0, 1)) await store().deliveries.ended(one);
    expect(await store().deliveries.onDigest(recipient)).toMatchObject(waiting.slice(1));
  });

  test('A delivery that has ended is not marked as sent by a late attempt', async () => {
    const key = aKey();
    await store().deliveries.begin(key);
    await store().deliveries.sent(key);
    await store().deliveries.ended(key);
    await store().deliveries.sent(key, 'late');
    expect(await store().deliveries.get(key)).toMatchObject({ state: 'ended' });
  });
});
