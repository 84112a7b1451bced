// What comes with the page itself: the same as the routes answer to the same reader, and nothing that could run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aHold, aQuestion, aTask, bearer, freshThread, keys, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const html =
  '<!doctype html><body><div id="root"><p data-first="page" hidden><b data-first="inbox" hidden></b><i data-first="list" hidden></i></p></div></body>';
const hostile = `</script><script>alert(1)</script><!-- <script> ]]> \u2028 $& $1 "'\\ ü`;
const rowsPath = '/api/inbox/rows?limit=50&view=forMe&sort=deadline';

let dir: string;
let open: Rig;
const rig = describeApi(async () => {
  dir = await mkdtemp(join(tmpdir(), 'standfast-first-'));
  await writeFile(join(dir, 'index.html'), html);
  return { withKeys: true, webDir: dir };
});
beforeAll(async () => {
  open = await rig.another({ webDir: dir });
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  await aHold(rig.store, task, { audience: ['role:finance'], question: aQuestion({ title: hostile }) });
});
afterAll(() => rm(dir, { recursive: true }));

const get = (url: string, headers: Record<string, string>, on: Rig = rig) =>
  on.app.inject({ method: 'GET', url, headers });

async function cookieOf(who: keyof typeof keys): Promise<{ cookie: string }> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await rig.app.inject({ method: 'POST', url: '/api/login', headers, payload: { key: keys[who] } });
  return { cookie: String(answer.headers['set-cookie']).split(';', 1)[0] ?? '' };
}

/** The data in a page, read as a browser reads it: up to the first end tag. */
function answersIn(page: string): Record<string, unknown> {
  const text = /<script type="application\/json" id="first">(.*?)<\/script/is.exec(page)?.[1];
  return JSON.parse(text ?? 'null');
}

describe('the page of a known reader', () => {
  // Promise S75
  test('the page of a known reader has what the routes answer to them, for no cache', async () => {
    const cookie = await cookieOf('fin');
    const page = await get('/', cookie);
    expect(answersIn(page.body)).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      '/api/me': (await get('/api/me', cookie)).json(),
      [rowsPath]: (await get(rowsPath, cookie)).json(),
    });
    expect(answersIn(page.body)[rowsPath]).toMatchObject({ items: [{ title: hostile }] });
    expect(page.body).toContain('<p><b></b><i data-first="list" hidden></i></p>');
    expect(page.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
    });
  });

  // Promise S75
  test('the page of a known reader is one script of data, whatever a title says', async () => {
    const { body } = await get('/', await cookieOf('fin'));
    expect(body.match(/<\/?script/gi)).toEqual(['<script', '</script']);
    expect(body).not.toContain('<!--');
  });

  // Promise S75
  test('the page of a known reader has no question that they may not see', async () => {
    const { body } = await get('/', await cookieOf('ben'));
    expect(answersIn(body)[rowsPath]).toMatchObject({ items: [], totals: { all: 0 } });
    expect(body).not.toContain('alert');
  });

  test('the page of a known reader comes packed as the browser takes it', async () => {
    const page = await get('/', { ...(await cookieOf('fin')), 'accept-encoding': 'gzip' });
    expect(page.headers['content-encoding']).toBe('gzip');
    expect(Object.keys(answersIn(gunzipSync(page.rawPayload).toString()))).toContain(rowsPath);
  });

  test.each([
    ['/?view=all', 'inbox'],
    ['/holds/some-id', 'inbox'],
    ['/history', 'list'],
    ['/tasks/some-id', 'list'],
  ])(
    'the page of a known reader says at %s who reads, of the list nothing, and shows the frame of its %s',
    async (url, part) => {
      const { body } = await get(url, await cookieOf('fin'));
      expect(Object.keys(answersIn(body))).toEqual(['at', '/api/me']);
      const other = part === 'inbox' ? 'list' : 'inbox';
      expect(body).not.toContain(`data-first="${part}"`);
      expect(body).toContain(`data-first="${other}" hidden`);
    },
  );

  test('the page of a known reader brings the cookie of a session that was lengthened', async () => {
    const cookie = await cookieOf('fin');
    rig.setNow(new Date(Date.now() + 3_600_000).toISOString());
    expect((await get('/', cookie)).headers['set-cookie']).toMatch(/^standfast-session=/);
    rig.setNow(null);
  });
});

describe('the page as it was built', () => {
  const nobody: Record<string, () => Promise<Record<string, string>>> = {
    'an unknown reader': async () => ({}),
    'a cookie that is none': async () => ({ cookie: `standfast-session=${'a'.repeat(43)}` }),
    'a session that has ended': async () => {
      const cookie = await cookieOf('fin');
      await rig.app.inject({
        method: 'POST',
        url: '/api/logout',
        headers: { ...cookie, 'sec-fetch-site': 'same-origin' },
        payload: {},
      });
      return cookie;
    },
    'a key alone, which no browser sends for a page': async () => bearer('fin'),
  };
  // Promise S75
  test.each(Object.entries(nobody))('the page as it was built comes to %s', async (_who, headersOf) => {
    const page = await get('/', await headersOf());
    expect([page.statusCode, page.body, page.headers['cache-control']]).toEqual([200, html, 'no-cache']);
  });

  // Promise S75
  test('the page as it was built comes without keys to a name that is not of this machine', async () => {
    expect((await get('/', { host: 'rebound.example' }, open)).body).toBe(html);
    expect(answersIn((await get('/', { host: '127.0.0.1:8600' }, open)).body)).toHaveProperty(
      ['/api/me', 'id'],
      'local',
    );
  });
});
