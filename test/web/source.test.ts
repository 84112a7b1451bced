// What the sources of the pages never do; read with a parser, because a page's text hides well from patterns.
import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { filesBelow, importsOf, read } from '../source-tree.ts';

const sources = filesBelow('web/src', (path) => /\.tsx?$/.test(path));
const drawn = sources.filter((path) => path.endsWith('.tsx'));

type Node = Record<string, unknown> & { type?: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesOf(one);
    return;
  }
  if (!isNode(value)) return;
  if (typeof value.type === 'string') yield value;
  for (const [key, one] of Object.entries(value)) if (key !== 'span') yield* nodesOf(one);
}

const astOf = (path: string): unknown =>
  parseSync(read(path), { syntax: 'typescript', tsx: path.endsWith('.tsx') }).body;
const hasWord = (value: unknown): boolean => typeof value === 'string' && /\p{L}/u.test(value);
const spoken = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
  'label',
]);

function literals(path: string): string[] {
  const found: string[] = [];
  for (const node of nodesOf(astOf(path))) {
    if (node.type === 'JSXText' && hasWord(node['value'])) found.push(String(node['value']).trim());
    if (node.type !== 'JSXAttribute' || !isNode(node['name']) || !isNode(node['value'])) continue;
    if (spoken.has(String(node['name']['value'])) && hasWord(node['value']['value']))
      found.push(String(node['value']['value']));
  }
  return found.map((text) => `${path}: ${text}`);
}

describe('the pages', () => {
  test('the pages say nothing that is not in the one list of strings', () => {
    expect(drawn.flatMap(literals)).toEqual([]);
  });

  test('the pages never turn text into markup', () => {
    const markup =
      /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/;
    expect(sources.filter((path) => markup.test(read(path)))).toEqual([]);
  });

  test('the pages make ids where browsers keep randomUUID from them, as a phone is served without TLS', () => {
    const keptBack = /\brandomUUID\(|crypto\.subtle/;
    expect(sources.filter((path) => keptBack.test(read(path)))).toEqual([]);
  });

  test('the pages take from the server the contract’s types alone, and the files that server-files.json names', () => {
    const ofServer = sources
      .flatMap(importsOf)
      .filter(({ target }) => target !== null && !target.startsWith('web/src/'));
    const named: string[] = JSON.parse(read('web/server-files.json'));
    const values = ofServer.filter(({ target, isTypeOnly }) => !(isTypeOnly && target?.startsWith('src/contract/')));
    const further = named.flatMap(importsOf).filter(({ isTypeOnly }) => !isTypeOnly);
    expect(new Set([...values, ...further].map(({ target }) => target))).toEqual(new Set(named));
  });

  test('the pages write in the sizes of their roles alone, but for letters in a mark and in a drawing', () => {
    const drawings = /^web\/src\/(overview|operate)\//u;
    const styles = filesBelow('web/src', (path) => path.endsWith('.css')).filter((path) => !drawings.test(path));
    const sizes = styles.flatMap((path) =>
      [...read(path).matchAll(/([^{}]+)\{[^{}]*?font-size:\s*([^;]+);/gu)].map(([, of = '', size = '']) => ({
        of: of.trim(),
        size,
      })),
    );
    const isOfRole =
      /^(?:var\(--(?:title|heading|value|label|note)\)(?: !important)?|inherit|0|clamp\(.+, var\(--note\)\))$/u;
    // A browser of a phone enlarges the page where a field is smaller.
    const isTouched = ({ of, size }: { of: string; size: string }): boolean => of === 'html' && size === '16px';
    const others = sizes.filter((one) => !isOfRole.test(one.size) && !/monogram/u.test(one.of) && !isTouched(one));
    expect(others).toEqual([]);
  });

  test('the pages take from npm only what is on the list', () => {
    const allowed = new Set([
      'react',
      'react-dom',
      'eventsource-parser',
      'marked',
      '@rjsf/core',
      '@rjsf/utils',
      '@cfworker/json-schema',
      // Loaded once somebody signs an answer or registers a passkey.
      '@simplewebauthn/browser',
    ]);
    const packageOf = (specifier: string): string =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
    const foreign = sources
      .flatMap(importsOf)
      .filter(({ target, isTypeOnly }) => target === null && !isTypeOnly)
      .map(({ specifier }) => packageOf(specifier))
      .filter((name) => !allowed.has(name));
    expect([...new Set(foreign)]).toEqual([]);
  });

  test('the pages are written in files of at most 450 lines, named by their idea', () => {
    expect(sources.filter((path) => read(path).trimEnd().split('\n').length > 450)).toEqual([]);
    const name = (path: string): string =>
      path
        .split('/')
        .at(-1)
        ?.replace(/\.tsx?$/, '') ?? '';
    expect(sources.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name(path)))).toEqual([]);
    expect(sources.filter((path) => /^(utils?|helpers?|common|types?|misc)$/.test(name(path)))).toEqual([]);
  });
});
