// What docs/front-ends.md prints is what the files have that the tests run.
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { checkExpense } from '../../examples/agents/expenses/expense-form.js';

test('the snippet of docs/front-ends.md answers the form of the demo agent', async () => {
  const text = await readFile(new URL('../../docs/front-ends.md', import.meta.url), 'utf8');
  const [, literal = ''] = /const payload = (\{.*\});/.exec(text) ?? [];
  const json = literal.replaceAll(/(\w+):/g, '"$1":').replaceAll("'", '"');
  expect(checkExpense(JSON.parse(json))).toEqual({});
});

test.each([
  ['async load()', 'page/assistant-ui.jsx'],
  ['persistence: true', 'page/tanstack-ai.jsx'],
  ['new HttpAgent', 'ask.js'],
])(
  'docs/front-ends.md prints the code with `%s` as examples/front-ends/%s has it, line by line',
  async (what, file) => {
    const at = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
    const [text, there] = await Promise.all([at('docs/front-ends.md'), at(`examples/front-ends/${file}`)]);
    const blocks = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, one = '']) => one);
    const printed = blocks.filter((one) => one.includes(what)).at(-1) ?? '';
    expect(printed).not.toBe('');
    const linesOf = (code: string): string[] => code.split('\n').map((line) => line.trim());
    const have = new Set(linesOf(there));
    expect(linesOf(printed).filter((line) => !have.has(line))).toEqual([]);
  },
);
