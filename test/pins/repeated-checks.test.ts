// `npm run bench -- checks` repeats the checks of trust by their text, and does not start where one has changed.
import { expect, test } from '@jest/globals';
import { read } from '../source-tree.ts';

interface Hooks {
  /** By the module of dist: text of it, and its replacement. */
  repeated: Record<string, [there: string, instead: string][]>;
}

test('the bench of the checks of trust finds each check that it repeats', async () => {
  const { repeated }: Hooks = await import(new URL('../../bench/repeated-checks-hooks.mjs', import.meta.url).href);
  const sourceOf = (built: string): string => read(built.replace(/^dist/, 'src').replace(/\.js$/, '.ts'));
  const missing = Object.entries(repeated).flatMap(([built, changes]) =>
    changes.filter(([there]) => !sourceOf(built).includes(there)).map(([there]) => `${built}: ${there}`),
  );
  expect([Object.keys(repeated).length, missing]).toEqual([4, []]);
});
