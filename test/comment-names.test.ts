// A comment that names something gone misleads its reader: each name in backticks is that of something in the code.
import { describe, expect, test } from '@jest/globals';
import { filesBelow, read, withoutComments } from './source-tree.ts';

const isSource = (path: string): boolean => /\.tsx?$/.test(path);
/** Whose comments are held to it. */
const commented = ['src', 'web/src', 'packages'].flatMap((dir) => filesBelow(dir, isSource));
/** Where what they name may be: code, and the files that configure it. */
const code = [
  ...['src', 'web', 'packages', 'examples', 'drizzle'].flatMap((dir) => filesBelow(dir)),
  'package.json',
  'tsconfig.json',
].filter((path) => /\.([cm]?js|tsx?|css|html|json|py|sql)$/.test(path));

/** Names of other programs and of protocols, which this code never writes. */
const foreign = new Set([
  'AuthCredential', // a class of ADK
  'Origin', // a header of browsers
  'Secure', // a mark of cookies
  'encodeBinary', // a method of AG-UI's encoder
  'realm_access', // Keycloak's claims
  'traceparent', // a header of W3C Trace Context
  'CET', // a zone, as browsers name it
]);

const comments = (text: string): string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\//g), ...text.matchAll(/(?:^|\s)\/\/(?=\s|$).*$/gm)].map(([comment]) => comment);
const identifier = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*(\(\))?$/;
const sourceFile = /^[\w-]+(\/[\w-]+)+\.tsx?$/;

/** What the comments of a file name in backticks. */
const namesIn = (path: string): string[] =>
  comments(read(path)).flatMap((comment) => [...comment.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name));

const named = commented.flatMap((path) => namesIn(path).map((name) => ({ path, name })));
const say = ({ path, name }: { path: string; name: string }): string => `${path}: ${name}`;

// Promise H3
describe('a name in backticks in a comment', () => {
  test('a name in backticks in a comment occurs in code, each of its parts where it has dots', () => {
    const words = new Set(code.flatMap((path) => withoutComments(read(path)).match(/[A-Za-z_$][\w$]*/g) ?? []));
    const isKnown = (part: string): boolean => words.has(part) || foreign.has(part);
    const identifiers = named.filter(({ name }) => identifier.test(name));
    expect(identifiers.length).toBeGreaterThan(500);
    expect(identifiers.filter(({ name }) => !name.replace('()', '').split('.').every(isKnown)).map(say)).toEqual([]);
  });

  test('a name in backticks in a comment is the end of the path of a source file where it ends with .ts', () => {
    const files = named.filter(({ name }) => sourceFile.test(name));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(({ name }) => !code.some((path) => path.endsWith(`/${name}`))).map(say)).toEqual([]);
  });
});

test('each foreign name of this test is one that a comment needs', () => {
  const used = new Set(named.flatMap(({ name }) => name.replace('()', '').split('.')));
  expect([...foreign].filter((name) => !used.has(name))).toEqual([]);
});
