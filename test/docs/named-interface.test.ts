// Commands and routes that documents, pages and messages name are there: a reader types them as they are written.
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createTerminal } from '../../src/cli/operate/terminal.ts';
import { filesBelow, read } from '../source-tree.ts';

const documents = [
  'README.md',
  ...['docs', 'examples'].flatMap((dir) => filesBelow(dir, (path) => path.endsWith('.md'))),
];
const sources = ['src', 'web/src'].flatMap((dir) => filesBelow(dir, (path) => /\.tsx?$/.test(path)));

const out = { write: () => true };
const program = createProgram(createTerminal({ out, err: out, env: {}, ask: null }), false);
const commandOf = (parent: Command, name: string): Command | undefined =>
  parent.commands.find((one) => one.name() === name);

/** Words of code: what is in backticks, fenced or indented. */
const codeOf = (text: string): string =>
  [...text.matchAll(/^( *)```[^]*?^ *```$|^ {4,}\S.*$|`[^`]+`/gm)].map(([code]) => code).join('\n');

const wordsOf = (line: string): string[] => line.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];

/** Why this is no command that can be typed: an unknown name or option, or a value that is no choice. Null: it is one. */
function whyNot([name = '', ...words]: string[]): string | null {
  const command = commandOf(program, name);
  if (command === undefined) return `there is no command ${name}`;
  const own = words.map((word) => commandOf(command, word)).find((one) => one !== undefined);
  const [first = ''] = words;
  if (own === undefined && command.commands.length > 1 && /^[a-z][a-z-]*$/.test(first))
    return `${name} has no command ${first}`;
  const options = [...command.options, ...(own?.options ?? []), ...program.options];
  for (const [at, word] of words.entries()) {
    if (!/^--[a-z-]+$/.test(word) || word === '--help') continue;
    const option = options.find(({ long }) => long === word);
    if (option === undefined) return `${name} has no option ${word}`;
    const value = words[at + 1] ?? '';
    if (option.argChoices !== undefined && /^[A-Za-z-]+$/.test(value) && !option.argChoices.includes(value))
      return `${word} is not ${value}`;
  }
  return null;
}

/** What is no command of the program, of all that is written as one. */
function unknownIn(text: string): string[] {
  const named = [...text.matchAll(/(?<![\w/.@-])standfast ([a-z][a-z-]*(?![\w/.:=-])[^\n`|;&#)$…]*)/g)];
  return named.flatMap(([, line = '']) => whyNot(wordsOf(line)) ?? []);
}

interface Published {
  paths: Record<string, Record<string, unknown>>;
}

const routes = Object.entries((JSON.parse(read('docs/openapi.json')) as Published).paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), segments: path.split('/') })),
);

const isParameter = (segment: string): boolean => /^\{\w+\}$/.test(segment);

/** Whether a route is published, whatever is in the place of its parameters. */
function isPublished(method: string, path: string): boolean {
  const named = path.split('/');
  return routes.some(
    (route) =>
      route.method === method &&
      route.segments.length === named.length &&
      route.segments.every((segment, at) => segment === named[at] || (isParameter(segment) && named[at] !== '')),
  );
}

describe('what documents name', () => {
  test('each command that a document shows as code is one of the program', () => {
    const unknown = documents.flatMap((path) => unknownIn(codeOf(read(path))).map((one) => `${path}: ${one}`));
    expect(program.commands.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  test('each command that a page, a message or a log names is one of the program', () => {
    // In parentheses words may follow; a template that begins with the name is no command.
    const quoted = (text: string): string =>
      [...text.matchAll(/\((standfast [a-z-]+)|\\`(standfast [^`\\]*)|'\w[^'\n]*`(standfast [^`'\\]*)`/g)]
        .map((found) => found.slice(1).join(''))
        .join('\n');
    expect(sources.flatMap((path) => unknownIn(quoted(read(path))).map((one) => `${path}: ${one}`))).toEqual([]);
  });

  test('each part of the configuration is in the list of docs/operate/run.md', () => {
    const [, page = ''] = read('docs/operate/run.md').split('## The configuration file\n');
    const cells = page.split('\n## ')[0]?.match(/^\| `.*?\|/gm) ?? [];
    const listed = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, key = '']) => key));
    expect(listed.toSorted()).toEqual(Object.keys(ConfigSchema.shape).toSorted());
  });

  test('each route that a document names with its method is published', () => {
    const named = documents.flatMap((path) =>
      [...read(path).matchAll(/`(GET|POST|PUT|DELETE)\s(\/(?:api|agents|codec|gates|mcp)[^`?\s]*)/g)].map(
        ([, method = '', route = '']) => ({ path, method, route }),
      ),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ method, route }) => !isPublished(method, route))).toEqual([]);
  });
});
