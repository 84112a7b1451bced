// What docs/front-ends.md prints is what the files have that the tests run.
import { readFile } from 'node:fs/promises';
import { InterruptSchema } from '@ag-ui/core/schemas';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkExpense } from '../../examples/agents/expenses/expense-form.js';
import { openInterrupts } from '../../src/wire/agui/cards/open-holds.ts';
import { aHold, aQuestion } from '../rigs/factories.ts';
import { read } from '../source-tree.ts';

const PrintedSchema = z.object({
  id: z.string(),
  message: z.string(),
  responseSchema: z.object({ title: z.string() }).catchall(z.json()),
  expiresAt: z.string(),
  metadata: z.object({ standfast: z.looseObject({ defaults: z.record(z.string(), z.json()) }) }),
});

test('the interrupt that docs/front-ends.md prints is written as it is there', () => {
  const [, json = ''] = /^```json\n([^]*?)^```$/m.exec(read('docs/front-ends.md')) ?? [];
  const printed: unknown = JSON.parse(json.replace('https://…', 'https://people.example').replaceAll(/<\w+>/g, 'h-1'));
  const { id, message, responseSchema, expiresAt, metadata } = PrintedSchema.parse(printed);
  const { title, ...schema } = responseSchema;
  const question = aQuestion({ title, message, schema, defaults: metadata.standfast.defaults });
  const hold = aHold({ interruptId: id, holdId: 'h-1', expiresAt, question });
  const source = {
    taskId: 'task-1',
    a2aTaskId: 'a2a-1',
    contextId: 'ctx-1',
    publicUrl: 'https://people.example',
    mayDecide: () => true,
  };
  expect(openInterrupts([hold], source)).toMatchObject([printed]);
  expect(() => InterruptSchema.parse(printed)).not.toThrow();
});

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
