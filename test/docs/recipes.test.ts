// Each recipe of docs/agents.md names a whole file that runs in the tests, and its code has the imports that this file has.
import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { read } from '../source-tree.ts';

const [, recipes = ''] = /^## Recipes$([^]*?)^## /m.exec(read('docs/agents.md')) ?? [];
const sections = recipes.split(/^### /m).slice(1);
const cases = sections.map((text): [string, string] => [text.split('\n', 1)[0] ?? '', text]);

const wholeFiles = (text: string): string[] => {
  const named = [...text.matchAll(/Whole files?:\s([^]*?)(?:\n\n|$)/g)].map(([, after = '']) => after);
  return [...named.join(' ').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => posix.join('docs', link));
};

/** `module name` of each name that is imported, in Python or JavaScript; of Go the module. */
function importsIn(code: string): string[] {
  const split = (names = ''): string[] => names.split(',').flatMap((name) => /\w+/.exec(name)?.[0] ?? []);
  const python = [...code.matchAll(/^from (\S+) import (?:\(([^)]*)\)|(.*))$/gm)];
  const script = [...code.matchAll(/^import \{([^}]*)\} from '([^']+)';$/gm)];
  const go = [...code.matchAll(/^\t"([^"]+)"$/gm)];
  return [
    ...python.flatMap(([, module, many, one]) => split(many ?? one).map((name) => `${module} ${name}`)),
    ...script.flatMap(([, names, module]) => split(names).map((name) => `${module} ${name}`)),
    ...go.map(([, module = '']) => module),
  ];
}

describe('the recipe for', () => {
  test.each(cases)('the recipe for %s names a whole file that runs, and imports what that imports', (_name, text) => {
    const files = wholeFiles(text);
    expect(files).not.toEqual([]);
    // These are started by the tests of the examples and of the frameworks.
    for (const file of files) expect(file).toMatch(/^(examples\/agents|test\/rigs\/agents)\//);
    const there = files.flatMap((file) => importsIn(read(file)));
    const blocks = [...text.matchAll(/^```(?:python|js|go)\n([^]*?)^```$/gm)].map(([, code = '']) => code);
    const wanted = blocks.flatMap(importsIn);
    expect(wanted.filter((name) => !there.includes(name))).toEqual([]);
    if (blocks.length > 0) expect(wanted).not.toEqual([]);
  });
});
