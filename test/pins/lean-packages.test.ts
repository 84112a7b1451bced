// What the build of the pages leaves out of other people's packages is left out of the versions that it was measured with.
import { describe, expect, test } from '@jest/globals';
import { checkVersions, installedVersionOf, replacementFor, replacements } from '../../web/lean-packages.ts';
import { filesBelow, read } from '../source-tree.ts';

test('what the build of the pages leaves out is for the versions that are installed', () => {
  expect(() => checkVersions(installedVersionOf)).not.toThrow();
});

test.each([...new Set(replacements.map(({ of }) => of))])(
  'the build of the pages fails with another version of %s',
  (name) => {
    const other = (one: string): string => (one === name ? '6.12.0' : installedVersionOf(one));
    expect(() => checkVersions(other)).toThrow(`${name} is 6.12.0, and what is left out of it was for`);
  },
);

describe.each(replacements)('what is left out of $of: $imports', (one) => {
  test('what is left out is replaced where its package imports it, and nowhere else', () => {
    const source = one.imports.startsWith('/') ? `..${one.imports}` : one.imports;
    expect(replacementFor(source, `/x/node_modules/${one.of}/lib/a.js`)).toBe(one);
    expect(replacementFor(source, '/x/web/src/hold/form/a.ts')).toBeUndefined();
    expect(replacementFor(`${source}x`, `/x/node_modules/${one.of}/lib/a.js`)).toBeUndefined();
  });
});

test('the pages import nothing of the form library that is not among its exports', () => {
  const manifest = JSON.parse(read('node_modules/@rjsf/core/package.json')) as { exports: object };
  expect(Object.keys(manifest.exports)).toContain('./lib/*.js');
  const sources = filesBelow('web/src', (path) => /\.tsx?$/.test(path)).map(read);
  const imported = sources.flatMap((text) => [...text.matchAll(/from '(@rjsf\/[^']+)'/g)].map(([, from]) => from));
  expect(imported.length).toBeGreaterThan(5);
  expect(imported.filter((from) => !/^@rjsf\/(utils|core\/lib\/[\w/]+\.js)$/.test(from ?? ''))).toEqual([]);
});
