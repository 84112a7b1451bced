// Where links of the documents lead on the site that is built of them.
import { expect, test } from '@jest/globals';
import { anchorOf, asWritten, linkOf } from '../../scripts/docs-site/config.mjs';

// Promise W34
test.each([
  ['agents.md', 'policies.md#stages', 'policies.md#stages'],
  ['operate/run.md', '../security.md', '../security.md'],
  ['agents.md', '#odd-agents', '#odd-agents'],
  ['operate/run.md', '../README.md#operate', '../index.md#operate'],
  ['agents.md', 'mailto:a@example.org', 'mailto:a@example.org'],
])('a link of %s to %s stays on the site', (page, href, shown) => {
  expect(linkOf(page, href)).toBe(shown);
});

// Promise W34
test.each([
  ['README.md', '../CONTRIBUTING.md', /\/blob\/main\/CONTRIBUTING\.md$/],
  ['operate/run.md', '../../src/core/README.md#core', /\/blob\/main\/src\/core\/README\.md#core$/],
  ['README.md', 'openapi.json', /\/blob\/main\/docs\/openapi\.json$/],
  ['policies.md', '../examples/policies', /\/tree\/main\/examples\/policies$/],
])('a link of %s to %s, which is no page of the site, leads to the repository', (page, href, shown) => {
  expect(linkOf(page, href)).toMatch(shown);
});

test('an anchor of a heading is the one that GitHub gives it', () => {
  expect(anchorOf('Deciding in Microsoft Teams')).toBe('deciding-in-microsoft-teams');
  expect(anchorOf('`standfast up`, and "more"')).toBe('standfast-up-and-more');
});

test('code within a line of the site is left as it is, whatever its braces mean to a template', () => {
  const attributes = new Map<string, string>();
  const code = { type: 'code_inline', attrSet: (name: string, value: string) => void attributes.set(name, value) };
  const rules: ((state: object) => void)[] = [];
  asWritten('docs')({ core: { ruler: { push: (_: string, rule) => void rules.push(rule) } } });
  for (const rule of rules) rule({ tokens: [{ children: [code] }, {}], env: { path: 'docs/notifications.md' } });
  expect([...attributes]).toEqual([['v-pre', '']]);
});
