// The snippet of docs/front-ends.md answers the demo agent, as its own check takes it.
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { checkExpense } from '../../examples/agents/expenses/expense-form.js';

test('the snippet of docs/front-ends.md answers the form of the demo agent', async () => {
  const text = await readFile(new URL('../../docs/front-ends.md', import.meta.url), 'utf8');
  const [, literal = ''] = /const payload = (\{.*\});/.exec(text) ?? [];
  const json = literal.replaceAll(/(\w+):/g, '"$1":').replaceAll("'", '"');
  expect(checkExpense(JSON.parse(json))).toEqual({});
});
