import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { budgets, closureOf, kb, tooHeavy, weigh, type Chunk } from '../../scripts/web-budget.mjs';
import { filesBelow, root } from '../source-tree.ts';

const manifest: Record<string, Chunk> = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_words.js'], css: ['style.css'] },
  '_words.js': { file: 'words.js' },
  '_marked.js': { file: 'marked.js', name: 'marked' },
  'src/task/task-page.tsx': { file: 'task.js', imports: ['_words.js'] },
  'src/hold/hold-pane.tsx': { file: 'hold.js', imports: ['_words.js', '_marked.js'] },
  'src/chat/chat-page.tsx': { file: 'chat.js', imports: ['src/hold/hold-pane.tsx'] },
  'src/overview/overview-page.tsx': { file: 'overview.js', css: ['later.css'] },
  'src/history/history-page.tsx': { file: 'history.js' },
  'style.css': { file: 'style.css' },
};

describe('the pages are weighed', () => {
  test('each file once, for the part of the page that needs it first', () => {
    expect(weigh(manifest, () => kb)).toEqual({
      entry: 3 * kb,
      hold: kb,
      markdown: kb,
      chat: kb,
      overview: kb,
      rest: kb,
      css: kb,
      laterCss: kb,
      js: 8 * kb,
    });
  });

  test('the pages are weighed and the build fails where a budget is broken', () => {
    const sizes = weigh(manifest, (file) => (file === 'hold.js' ? 123 * kb : kb));
    expect(tooHeavy(sizes)).toEqual(['hold: 123.0 KB gzip, at most 122']);
    expect(tooHeavy(weigh(manifest, () => kb))).toEqual([]);
  });

  test('the pages are weighed against the promised budgets', () => {
    expect(budgets).toEqual({
      entry: 116 * kb,
      hold: 122 * kb,
      markdown: 13 * kb,
      chat: 12 * kb,
      overview: 8 * kb,
      css: 10.5 * kb,
      laterCss: 11 * kb,
      js: 340 * kb,
    });
  });
});

/** A browser that does not know this line takes it for a comment. */
const compiledAtOnce = '//# allFunctionsCalledOnLoad\n';

const built = join(root, 'dist/web/manifest.json');

(existsSync(built) ? describe : describe.skip)('the pages as built', () => {
  // Promise S24
  test('the pages as built are within their budgets', () => {
    const found = JSON.parse(readFileSync(built, 'utf8')) as Record<string, Chunk>;
    const sizes = weigh(found, (file) => gzipSync(readFileSync(join(root, 'dist/web', file)), { level: 9 }).length);
    expect(tooHeavy(sizes)).toEqual([]);
  });

  // Promise S73
  test('load the first page without a part of any other page', () => {
    const found = JSON.parse(readFileSync(built, 'utf8')) as Record<string, Chunk>;
    const first = Object.entries(found).filter(([, { isEntry, name }]) => isEntry === true || name === 'app');
    const needed = new Set(first.flatMap(([key]) => [...closureOf(found, key)]));
    expect(first.length).toBeGreaterThan(1);
    expect(new Set([...needed].map((key) => found[key]?.name))).toEqual(new Set(['index', 'app', 'rolldown-runtime']));
  });

  test('the pages as built compile their functions while they come, not at the first call of each', () => {
    const isLarge = (path: string): boolean => path.endsWith('.js') && readFileSync(join(root, path)).length >= 16 * kb;
    const large = filesBelow('dist/web/assets', isLarge);
    expect(large.some((path) => path.includes('/hold-pane-'))).toBe(true);
    expect(large.filter((path) => !readFileSync(join(root, path), 'utf8').startsWith(compiledAtOnce))).toEqual([]);
  });

  test('the pages as built hold no inline script or style, and no data: address', () => {
    const html = readFileSync(join(root, 'dist/web/index.html'), 'utf8');
    expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)/);
    const styles = filesBelow('dist/web', (path) => path.endsWith('.css')).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    expect(styles.join('')).not.toMatch(/url\(\s*['"]?data:/);
  });

  test('the pages as built lie there compressed as well', () => {
    const scripts = filesBelow(
      'dist/web/assets',
      (path) => path.endsWith('.js') && readFileSync(join(root, path)).length >= 200,
    );
    expect(scripts.length).toBeGreaterThan(0);
    for (const path of scripts) {
      expect(existsSync(join(root, `${path}.gz`))).toBe(true);
      expect(existsSync(join(root, `${path}.br`))).toBe(true);
    }
  });
});
