// The documentation's site is built from docs/ as a release's workflow builds it, and each of its links is followed.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { filesBelow, root } from '../../source-tree.ts';

const supervisor = createSupervisor();
const base = '/below/';
let site = '';
let pages: string[] = [];

const pageOf = (path: string): string => readFileSync(join(site, path), 'utf8');

beforeAll(async () => {
  site = join(await supervisor.tempDir('docs-site'), 'site');
  await promisify(execFile)(process.execPath, ['scripts/docs-site.mjs', site], {
    cwd: root,
    env: { ...process.env, DOCS_BASE: base },
    maxBuffer: 16 * 1024 * 1024,
  });
  pages = (await readdir(site, { recursive: true })).filter((path) => path.endsWith('.html'));
});
afterAll(() => supervisor.end());

// Promise W34
test('the site has a page for each document, and its list is that of docs/README.md', () => {
  const documents = filesBelow('docs', (path) => path.endsWith('.md')).map((path) =>
    path
      .replace(/^docs\//, '')
      .replace(/README\.md$/, 'index.md')
      .replace(/\.md$/, '.html'),
  );
  expect(documents.length).toBeGreaterThan(90);
  expect(documents.filter((path) => !pages.includes(path))).toEqual([]);
  for (const name of ['Agents', 'Data and backup', 'Decisions']) expect(pageOf('agents.html')).toContain(`>${name}<`);
});

/** Addresses of a page that are of the site itself. */
const linksOf = (page: string): string[] =>
  [...pageOf(page).matchAll(/ (?:href|src)="([^"]+)"/g)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&'))
    .filter((link) => !/^(?:[a-z]+:|\/\/|data:)/.test(link));

// Promise W34
test('each link of the site leads to a page, a picture or a heading that is there', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page).flatMap((link) => {
      const [path = '', anchor = ''] = link.split('#');
      const inSite = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path);
      const target = path === '' ? page : inSite.replace(/(^|\/)$/, '$1index.html');
      const isThere = existsSync(join(site, target));
      const hasAnchor = anchor === '' || (isThere && pageOf(target).includes(` id="${decodeURIComponent(anchor)}"`));
      return isThere && hasAnchor ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

// Promise W34
test('the site loads nothing from elsewhere, and searches its own pages', async () => {
  const loaded = pages.flatMap(
    (page) => pageOf(page).match(/<(?:script|link|img)[^>]+(?:src|href)="https?:[^"]+"/g) ?? [],
  );
  expect(loaded).toEqual([]);
  const chunks = await readdir(join(site, 'assets/chunks'));
  const index = chunks.find((name) => name.includes('localSearchIndex')) ?? '';
  for (const word of ['quorum', 'passkey', 'PgBouncer'])
    expect(pageOf(`assets/chunks/${index}`)).toContain(word.toLowerCase());
});
