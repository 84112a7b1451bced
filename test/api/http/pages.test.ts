import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { plainPages } from '../../../src/contract/views/page-names.ts';
import { describeApi } from '../describe-api.ts';

const html = '<!doctype html><title>Standfast</title>';
const script = 'console.log("here");'.repeat(50);
let dir: string;
const rig = describeApi(async () => {
  dir = await mkdtemp(join(tmpdir(), 'standfast-pages-'));
  await mkdir(join(dir, 'assets'));
  await writeFile(join(dir, 'index.html'), html);
  await writeFile(join(dir, 'assets', 'main-1a2b.js'), script);
  await writeFile(join(dir, 'assets', 'main-1a2b.js.br'), brotliCompressSync(script));
  await writeFile(join(dir, 'assets', 'main-1a2b.js.gz'), gzipSync(script));
  await writeFile(join(dir, 'manifest.json'), '{}');
  return { withKeys: true, webDir: dir };
});
afterAll(() => rm(dir, { recursive: true }));

const get = (url: string, headers: Record<string, string> = {}) => rig.app.inject({ method: 'GET', url, headers });

describe('the pages', () => {
  test.each([
    '/',
    '/holds/some-id',
    '/tasks/some-id',
    '/chat/expenses',
    ...Object.keys(plainPages),
    '/login',
    '/?view=team',
  ])('the pages are served at %s to anybody: what they show asks for itself', async (url) => {
    const response = await get(url, { accept: 'text/html,application/xhtml+xml,application/json;q=0.1,*/*;q=0.1' });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(html);
    expect(response.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/html/),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  });

  // Promise PG1
  test('the pages let in nothing but themselves', async () => {
    const { headers } = await get('/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; worker-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    // The document's own page styles its elements inline.
    expect((await get('/docs/static/index.html')).headers['content-security-policy']).toContain("'unsafe-inline'");
  });

  // Promise S49
  test('the pages say to a browser that an address is nothing, and to a program in JSON', async () => {
    for (const url of ['/nope', '/holds', '/operate']) {
      const page = await get(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.1' });
      expect([page.statusCode, page.body]).toEqual([404, html]);
      expect(page.headers['content-security-policy']).toContain("script-src 'self'");
      const problem = await get(url, { accept: 'application/json' });
      expect([problem.statusCode, problem.json().code]).toEqual([404, 'not_found']);
    }
  });

  test('the pages lead programs that want data to the data', async () => {
    for (const kind of ['holds', 'tasks']) {
      const response = await get(`/${kind}/some%20id`, { accept: 'application/json' });
      expect(response.statusCode).toBe(302);
      expect(response.headers['location']).toBe(`/api/${kind}/some%20id`);
    }
    expect((await get('/holds/x')).statusCode).toBe(200);
  });

  test.each([
    ['br', (body: Buffer) => brotliDecompressSync(body).toString()],
    ['identity', (body: Buffer) => body.toString()],
  ])('the pages have scripts that never change under their name, as %s', async (encoding, read) => {
    const { headers, rawPayload } = await get('/assets/main-1a2b.js', { 'accept-encoding': encoding });
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/javascript/);
    expect(headers['content-encoding']).toBe(encoding === 'br' ? 'br' : undefined);
    expect(read(rawPayload)).toBe(script);
  });

  test.each([
    '/assets/none.js',
    '/assets/',
    '/assets/../index.html',
    '/assets/%2e%2e/manifest.json',
    '/assets/..%2fmanifest.json',
    '/manifest.json',
    '/index.html',
    '/other',
  ])('the pages are nowhere else: %s', async (url) => {
    const response = await get(url);
    expect([400, 403, 404]).toContain(response.statusCode);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
  });
});
