// A link is one person's, for one decision: pressed by many at once, by others, again, and too late.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { aDecision, anEnd, bearer, keys } from '../rig.ts';
import { describeLinks } from './link-rig.ts';

const { rig, commands, decides, asked, linkTo } = describeLinks();
beforeEach(() => decides());

const press = (url: string, payload = 'decision=yes', headers: Record<string, string> = {}) =>
  rig.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload,
  });

async function cookieOf(who: keyof typeof keys): Promise<Record<string, string>> {
  const { headers } = await rig.app.inject({ method: 'POST', url: '/api/login', payload: { key: keys[who] } });
  return { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '' };
}

// Promise T23
describe('a link to decide by', () => {
  test('a link to decide by decides once of twenty presses at once, and says to the others that nothing was decided', async () => {
    const link = await linkTo(await asked());
    const answers = ['decision=yes', 'decision=no'];
    const pressed = await Promise.all(Array.from({ length: 20 }, (_, n) => press(link, answers[n % 2])));
    expect(pressed.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const others = pressed.filter(({ statusCode }) => statusCode === 409);
    expect([others.length, commands.length]).toEqual([19, 1]);
    for (const { body } of others) expect(body).toContain('Nothing was decided');
  });

  test('a link to decide by decides nothing, and shows nothing, where somebody else is signed in', async () => {
    const hold = await asked();
    const link = await linkTo(hold);
    for (const who of ['anna', 'op'] as const) {
      const cookie = await cookieOf(who);
      const shown = await rig.app.inject({ url: link, headers: cookie });
      expect([shown.statusCode, shown.body]).toEqual([403, expect.stringContaining(`signed in as ${who}`)]);
      expect(shown.body).not.toContain('Miller');
      expect((await press(link, 'decision=yes', cookie)).statusCode).toBe(403);
    }
    expect(commands).toEqual([]);
    // It is still theirs to whom it was sent, signed in or not; a key sent along changes nothing.
    expect((await press(link, 'decision=yes', await cookieOf('fin'))).statusCode).toBe(200);
    expect((await press(await linkTo(await asked()), 'decision=yes', bearer('anna'))).statusCode).toBe(200);
    expect(commands.map(({ principal }) => principal.id)).toEqual(['fin', 'fin']);
  });

  test('a link to decide by stays used when its question is open again, also when it is issued again', async () => {
    const hold = await asked();
    const link = await linkTo(hold);
    decides(true);
    expect((await press(link)).statusCode).toBe(200);
    // A vote that is taken back, or a decision within its grace: the question waits as before.
    expect(await rig.store.holds.get(hold.holdId)).toMatchObject({ status: 'open', votes: [] });
    expect(await linkTo(hold)).toBe(link);
    const again = await press(link);
    expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('used already')]);
    expect(commands).toHaveLength(1);
  });

  test('a link to decide by decides nothing once it is revoked, has expired, or its question has ended, however often it is pressed', async () => {
    const [revoked, closed, late] = [await asked(), await asked(), await asked()];
    const links = [
      await linkTo(revoked),
      await linkTo(closed),
      await linkTo(late, { expiresAt: '2020-01-01T00:00:00.000Z' }),
    ];
    const url = `/api/holds/${revoked.holdId}/links`;
    expect((await rig.app.inject({ method: 'DELETE', url, headers: bearer('op') })).json()).toEqual({ revoked: 1 });
    await rig.store.holds.close(closed.holdId, anEnd('decided', aDecision({ by: 'op' }), 'sha256:x'));
    const statuses = await Promise.all(
      links.map(async (link) => {
        const pressed = await Promise.all(Array.from({ length: 5 }, () => press(link)));
        return [...new Set(pressed.map(({ statusCode }) => statusCode))];
      }),
    );
    expect(statuses).toEqual([[404], [409], [409]]);
    expect(commands).toEqual([]);
  });
});
