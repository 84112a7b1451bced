// The folders of web/src have an order: imports go down it, those of parts that are loaded later included.
import { describe, expect, test } from '@jest/globals';
import { circlesOf, filesBelow, importsOf, type Import } from '../source-tree.ts';

/** Folders of pages need no name here. */
const pages = 'pages';
/** From top to bottom: a folder imports from lines below its own, and never from a neighbour on its line. */
const layers = ['app', 'overview', pages, 'task chat inbox', 'first', 'hold', 'ui', 'base', 'i18n'].map((line) =>
  line.split(' '),
);

/** The folders of `hold`, from top to bottom; its loose files are above them all. */
const holdLayers = [
  'kinds own',
  'form',
  'decide',
  'record waiting',
  'head',
  'row talk',
  'grace draft',
  'acts answer ladder',
  'pane',
  'context',
  'values',
  'text',
  'diff',
  'reading words',
].map((line) => line.split(' '));

const files = filesBelow('web/src', (path) => /\.tsx?$/.test(path));
const imports = files.flatMap(importsOf);
const folderOf = (path: string): string => path.split('/')[2] ?? '';
const isListed = (folder: string): boolean => layers.some((names) => names.includes(folder));
const layerOf = (folder: string): number =>
  layers.findIndex((names) => names.includes(isListed(folder) ? folder : pages));
const isOfPages = ({ target }: Import): boolean => target?.startsWith('web/src/') === true;

const isInHold = (path: string): boolean => path.startsWith('web/src/hold/') && /\.tsx?$/.test(path);
/** Null: a file of `hold` itself. */
const holdFolderOf = (path: string): string | null => path.split('/').slice(3, -1).join('/') || null;
const holdLayerOf = (path: string): number => {
  const folder = holdFolderOf(path);
  return folder === null ? -1 : holdLayers.findIndex((names) => names.includes(folder));
};

describe('a folder of the pages', () => {
  test('a folder of the pages is listed in the order of folders, unless it has a page', () => {
    const withPage = new Set(files.filter((path) => path.endsWith('-page.tsx')).map(folderOf));
    expect(files.filter((path) => !isListed(folderOf(path)) && !withPage.has(folderOf(path)))).toEqual([]);
  });

  test('a folder of the pages imports only from folders below it, at once or later', () => {
    const upward = imports
      .filter(isOfPages)
      .filter(({ from, target }) => folderOf(from) !== folderOf(target ?? ''))
      .filter(({ from, target }) => layerOf(folderOf(target ?? '')) <= layerOf(folderOf(from)))
      .map(({ from, specifier }) => `${from} ← ${specifier}`);
    expect(upward).toEqual([]);
  });

  test('a folder of one question is listed in the order of its folders', () => {
    const unlisted = files.filter((path) => isInHold(path) && holdFolderOf(path) !== null && holdLayerOf(path) === -1);
    expect(unlisted).toEqual([]);
  });

  test('a folder of one question imports only from folders below it, at once or later', () => {
    const upward = imports
      .filter(({ from, target }) => isInHold(from) && isInHold(target ?? ''))
      .filter(({ from, target }) => holdFolderOf(from) !== holdFolderOf(target ?? ''))
      .filter(({ from, target }) => holdLayerOf(target ?? '') <= holdLayerOf(from))
      .map(({ from, specifier }) => `${from} ← ${specifier}`);
    expect(upward).toEqual([]);
  });

  test('a folder of the pages has no circle of imports, those of parts loaded later and of types included', () => {
    expect(circlesOf(imports.filter(isOfPages))).toEqual([]);
  });

  test('a folder of the pages is read with its later parts: some imports are dynamic', () => {
    expect(imports.filter(isOfPages).some(({ target }) => target === 'web/src/overview/overview-page.tsx')).toBe(true);
  });
});
