// Each recipe of docs/agents.md names a whole file that runs in the tests, and its code has the imports that this file has. Its
// JavaScript is run here as it is printed, its Python by test/journeys/agents/recipes.test.ts.
import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { asking, printedBy, recipes, snippetsOf, withData } from '../rigs/agents/printed-recipes.ts';
import { read } from '../source-tree.ts';

const cases = recipes.map((text): [string, string] => [text.split('\n', 1)[0] ?? '', text]);

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
  test.each(cases)('the recipe for %s names a whole file that runs, and imports what that imports', (name, text) => {
    const files = wholeFiles(text);
    expect(files).not.toEqual([]);
    // These are started by the tests of the examples and of the frameworks.
    for (const file of files) expect(file).toMatch(/^(examples\/agents|test\/rigs\/agents)\//);
    const there = files.flatMap((file) => importsIn(read(file)));
    const blocks = snippetsOf(name);
    const wanted = blocks.flatMap(importsIn);
    expect(wanted.filter((one) => !there.includes(one))).toEqual([]);
    if (blocks.length > 0) expect(wanted).not.toEqual([]);
  });
});

test('the recipe for LangGraph prints the JavaScript that its whole file has, line by line', () => {
  const name = 'LangChain and LangGraph';
  const text = recipes.find((one) => one.startsWith(`${name}\n`)) ?? '';
  const there = new Set(wholeFiles(text).flatMap((file) => read(file).split('\n')));
  const printed = snippetsOf(name).filter((code) => code.includes('serveTurns'));
  expect(printed).toHaveLength(1);
  expect(printed.flatMap((code) => code.split('\n')).filter((line) => line !== '' && !there.has(line))).toEqual([]);
});

const player = `
import { AgentCard, SendMessageRequest } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server';

const handler = new DefaultRequestHandler(AgentCard.fromJSON({ name: 'a' }), new InMemoryTaskStore(), { execute });
const context = new ServerCallContext({ user: new UnauthenticatedUser() });
async function send(message) {
  const request = SendMessageRequest.fromJSON({ message: { role: 'ROLE_USER', ...message } });
  const { id: taskId, contextId, status } = Task.toJSON(await handler.sendMessage(request, context));
  console.log(JSON.stringify({ state: status.state, parts: status.message.parts }));
  return { taskId, contextId };
}
const ids = await send({ messageId: 'm1', parts: [{ text: 'begin' }] });
const values = { approved: true, editedArgs: { invoice: 7 } };
const data = { type: 'a2a.hitl.formResponse', formId: 'pay-' + ids.taskId, values };
await send({ messageId: 'm2', ...ids, parts: [{ data }] });
`;

test('the recipe for @a2a-js/sdk asks by a form as it is printed, and acts on the answer', () => {
  const code = snippetsOf('@a2a-js/sdk').join('\n') + player;
  const call = { invoice: 4210, to: 'Miller Ltd' };
  expect(printedBy(process.execPath, ['--input-type=module'], code)).toEqual([
    // No call was sent: without the tool's name it could not be approved.
    asking({ text: expect.any(String) }, withData({ title: 'Pay invoice 4210?', toolName: 'pay', arguments: call })),
    { state: 'TASK_STATE_COMPLETED', parts: [{ text: 'paid 7' }] },
  ]);
});
