import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { anchorOf } from '../../scripts/docs-site/config.mjs';
import { filesWithLists } from '../../scripts/link-lists.mjs';
import { findIn } from '../../scripts/lint/plain-words.js';
import { filesWithSourceLists } from '../../scripts/source-lists.mjs';
import { type Addresses, thingsToTry } from '../../src/cli/run/next-commands.ts';
import { loadConfig } from '../../src/config/config.ts';
import { plainPages } from '../../src/contract/views/page-names.ts';
import { filesBelow, read, root } from '../source-tree.ts';
import { isTested } from './named-tests.ts';

const documents = [
  'README.md',
  'llms.txt',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['docs', 'src', 'examples', 'packages', 'test', 'bench'].flatMap((dir) =>
    filesBelow(dir, (path) => path.endsWith('.md')),
  ),
];

const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe('every document', () => {
  test('links to files and headings that are there', () => {
    const broken = documents.flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return [];
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : posix.join(posix.dirname(path), file);
        const isThere = existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
        return isThere ? [] : [`${path}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test('every document is named in docs/README.md, but for decisions and promises, which have lists', () => {
    const linked = [...read('docs/README.md').matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) =>
      posix.join('docs', path),
    );
    const pages = documents.filter((path) => /^docs\/(?!adr\/|spec\/)/.test(path) && path !== 'docs/README.md');
    expect(pages.filter((path) => !linked.includes(path))).toEqual([]);
  });

  test('every document has the list of docs/README.md where it has one: npm run lists', () => {
    const files = filesWithLists();
    expect(files.map(([path]) => path)).toEqual(['README.md', 'llms.txt']);
    for (const [path, text] of files) expect(read(path)).toBe(text);
  });

  test('every document has the lists that are made of the source: npm run lists', () => {
    for (const [path, text] of filesWithSourceLists()) expect(read(path)).toBe(text);
  });

  test('every document keeps its prose within 120 columns', () => {
    const pages = [...documents.filter((path) => !/^(docs\/spec\/|CHANGELOG)/.test(path)), 'web/README.md'];
    const long = pages.flatMap((path) => {
      // Code is taken as it is, whether in a fence or indented; a table's row, a badge and a test's name are one line each.
      const prose = read(path).replaceAll(/^( *)```[^]*?^ *```$|^ {4}[^\s-].*$|^\|.*$|^\[!\[.*$/gm, '');
      const isTestName = (line: string): boolean => isTested(/^ +- (`+) ?(.+?) ?\1$/.exec(line)?.[2] ?? '');
      return prose
        .split('\n')
        .filter((line) => line.length > 120 && !isTestName(line))
        .map((line) => `${path}: ${line.slice(0, 80)}…`);
    });
    expect(long).toEqual([]);
  });

  test('every document uses the words that the linter asks of comments', () => {
    const strange = documents.flatMap((path) =>
      read(path)
        .replaceAll(/^( *)```[^]*?^ *```$|^ {4}[^\s-].*$/gm, '')
        .split('\n\n')
        .map((paragraph) => findIn(paragraph.replaceAll(/\s+/g, ' ')))
        .flatMap((found) => (found === undefined ? [] : [`${path}: "${found.word}", take: ${found.instead}`])),
    );
    expect(strange).toEqual([]);
  });

  test('every file that people copy or fill in uses the words that the linter asks of comments', () => {
    const isCopied = (path: string): boolean => /\.(ya?ml|sh|example)$|\/Makefile$/.test(path);
    const files = [
      'action.yml',
      'docker-compose.yml',
      'Dockerfile',
      ...['deploy', 'examples'].flatMap((dir) => filesBelow(dir, isCopied)),
    ];
    expect(files.length).toBeGreaterThan(30);
    const strange = files.flatMap((path) =>
      read(path)
        .split('\n')
        .map((line) => findIn(line))
        .flatMap((found) => (found === undefined ? [] : [`${path}: "${found.word}", take: ${found.instead}`])),
    );
    expect(strange).toEqual([]);
  });

  test('every comment and docstring of Python uses the words that the linter asks of comments', () => {
    const programs = ['test', 'examples', 'packages'].flatMap((dir) => filesBelow(dir, (path) => path.endsWith('.py')));
    const texts = programs.flatMap((path) =>
      [...read(path).matchAll(/(?:^|\s)#(.*)$|("{3}|'{3})([^]*?)\2/gm)].map(([, comment, , docstring]) => ({
        path,
        text: comment ?? docstring ?? '',
      })),
    );
    expect(texts.length).toBeGreaterThan(100);
    const strange = texts.filter(({ text }) => findIn(text.replaceAll(/\s+/g, ' ')) !== undefined);
    expect(strange).toEqual([]);
  });

  test('every document keeps the rows of its tables within 160 columns', () => {
    const wide = [...documents, 'web/README.md', 'packages/client/README.md'].flatMap((path) =>
      read(path)
        // The benchmark's tables are written by `npm run bench -- --write`.
        .replaceAll(/<!-- bench:(?:\w+:)*begin -->[^]*?<!-- bench:(?:\w+:)*end -->/g, '')
        .split('\n')
        .filter((line) => line.startsWith('|') && line.length > 160)
        .map((line) => `${path}: ${line.slice(0, 80)}…`),
    );
    expect(wide).toEqual([]);
  });

  test('every document is written out: there are no placeholders', () => {
    const placeholders = /\b(TBD|lorem ipsum|coming soon|placeholder)\b/i;
    expect(documents.filter((path) => placeholders.test(read(path)))).toEqual([]);
  });

  test('every document and every comment refer only to documents of this repository', () => {
    const others = /\bdesign (?:§|\.md)|\bfacts\/[a-z0-9]+\.md|\b(?:api|house|design)\.md\b/;
    const files = [
      ...documents,
      ...['src', 'test', 'examples', 'scripts', 'bench'].flatMap((dir) =>
        filesBelow(dir, (path) => /\.([cm]?js|ts|ya?ml)$/.test(path) && path !== 'test/docs/documents.test.ts'),
      ),
    ];
    const found = files.flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => (others.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

describe('README.md', () => {
  const text = read('README.md');
  const addresses: Addresses = {
    url: 'http://127.0.0.1:8600',
    temporal: '127.0.0.1:7233',
    temporalUi: 'http://127.0.0.1:8233',
    nexusEndpoint: 'standfast',
    agent: 'http://127.0.0.1:8701/',
    gate: '/gates/demo/mcp',
    configFile: 'examples/quickstart/standfast.yaml',
    dataDir: '.standfast',
    hasKeys: false,
  };

  test('README.md gives the same three things to try as the program prints', () => {
    const commands = thingsToTry(addresses)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^(curl|-d|http)/.test(line));
    expect(commands.length).toBeGreaterThan(4);
    // The page needs a press, the rest a line to type.
    expect(commands[0]).toBe('http://127.0.0.1:8600');
    expect(commands.filter((command) => !text.includes(command))).toEqual([]);
  });

  test('where the configuration has keys, each command that the program prints to try gives one', () => {
    const printed = thingsToTry({ ...addresses, hasKeys: true }).split('\n');
    const commands = printed.filter((line) => line.includes('curl '));
    expect(commands).toHaveLength(4);
    for (const command of commands) expect(command).toContain(' -H "authorization: Bearer $STANDFAST_API_KEY"');
  });

  test('README.md shows a configuration that is valid, and about which there is nothing to say', () => {
    const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
    expect(blocks).toHaveLength(1);
    const path = join(process.env['TMPDIR'] ?? '/tmp', `standfast-readme-${process.pid}.yaml`);
    writeFileSync(path, blocks[0] ?? '');
    try {
      const env = { EXPENSES_TOKEN: 'secret', ANNA_KEY: 'a-key-of-16-or-more', BEN_KEY: 'another-key-of-16-or-more' };
      expect(loadConfig({ path, env })).toMatchObject({ ok: true, warnings: [] });
    } finally {
      rmSync(path);
    }
  });

  test('README.md has badges of the version, the checks, the license and the documentation of this repository', () => {
    const { repository, license } = JSON.parse(read('package.json')) as {
      repository: { url: string };
      license: string;
    };
    const [owner = '', name = ''] = repository.url.replace(/^.*github\.com\/|\.git$/g, '').split('/');
    const home = `https://github.com/${owner}/${name}`;
    const badges = [...text.matchAll(/^\[!\[(\w+)\]\((\S+)\)\]\((\S+)\)$/gm)].map(([, ...parts]) => parts);
    expect(badges).toEqual([
      ['Release', `https://img.shields.io/github/v/release/${owner}/${name}`, `${home}/releases`],
      ['Check', `${home}/actions/workflows/check.yml/badge.svg`, `${home}/actions/workflows/check.yml`],
      ['License', `https://img.shields.io/badge/license-${license.replace('-', '--')}-blue`, 'LICENSE'],
      ['Documentation', 'https://img.shields.io/badge/documentation-site-blue', `https://${owner}.github.io/${name}/`],
    ]);
    expect(filesBelow('.github/workflows')).toContain('.github/workflows/check.yml');
  });

  test('README.md names npm scripts and files that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

test('THIRD_PARTY_NOTICES.md lists what is installed to run', () => {
  execFileSync(process.execPath, [join(root, 'scripts/third-party.mjs'), '--check'], { stdio: 'pipe' });
});

test('docs/vocabulary.md lists the events and effects of a task as the source does, each with its comment', () => {
  execFileSync(process.execPath, [join(root, 'scripts/vocabulary.mjs'), '--check'], { stdio: 'pipe' });
});

test('docs/vocabulary.md keeps fifteen terms of Standfast, each in a sentence or two', () => {
  const own = read('docs/vocabulary.md').split('## Fifteen terms')[1]?.split('\n## ')[0] ?? '';
  expect(own.match(/^- \*\*[\w-]+\*\*: /gm)).toHaveLength(15);
});

test('docs/operate/run.md and traces.md name every environment variable that is read', () => {
  const variables = [...read('src/host/process/environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
    ([, name = '']) => name,
  );
  const operate = `${read('docs/operate/run.md')}${read('docs/operate/traces.md')}`;
  expect(variables.length).toBeGreaterThan(10);
  expect(variables.filter((name) => !operate.includes(`\`${name}\``))).toEqual([]);
});

test('docs/pages.md has a row for every page', () => {
  const addresses = [...read('docs/pages.md').matchAll(/^\| .+? +\| `(\/\S*)` +\| /gm)].map(
    ([, address = '']) => address,
  );
  expect(addresses.toSorted()).toEqual(['/', '/chat', ...Object.keys(plainPages)].toSorted());
});

test('docs/operate/run.md names every metric', () => {
  const sources = [
    'src/api/http/prometheus.ts',
    'src/api/operate/installation-gauges.ts',
    'src/host/metrics/registry.ts',
    'src/host/metrics/worker-metrics.ts',
  ];
  const metrics = sources.flatMap((source) => read(source).match(/(?<=')standfast_\w+(?=')/g) ?? []);
  const operate = read('docs/operate/run.md');
  expect(metrics.length).toBeGreaterThan(20);
  expect(metrics.filter((name) => !operate.includes(`\`${name}\``))).toEqual([]);
});

describe('decisions', () => {
  const pages = filesBelow('docs/adr', (path) => path.endsWith('.md') && !path.endsWith('README.md'));
  const numberOf = (path: string): number => Number(/^docs\/adr\/(\d{4})-/.exec(path)?.[1]);
  const statusOf = (path: string): string => /^Status: (.*(?:\n\S.*)*)$/m.exec(read(path))?.[1] ?? '';
  /** The decisions that a status names after these words. */
  const named = (status: string, words: RegExp): number[] =>
    [...(words.exec(status)?.[1] ?? '').matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
  const decisions = pages.map((path) => {
    const status = statusOf(path);
    return {
      number: numberOf(path),
      status,
      amends: named(status, /\. Amends ([^.]*(?:\.md[^.]*)*)\./),
      amendedBy: named(status, /amended by ([^.]*(?:\.md[^.]*)*)\./),
    };
  });

  test('decisions are a page of their own each, with a number of its own', () => {
    const numbers = decisions.map(({ number }) => number);
    expect(numbers).not.toContain(Number.NaN);
    expect(new Set(numbers).size).toBe(pages.length);
    for (const page of pages) expect(read(page).trim().split('\n').length).toBeLessThanOrEqual(25);
  });

  test('decisions have a status, and one that does not hold any more is taken out', () => {
    expect(decisions.filter(({ status }) => !status.startsWith('accepted')).map(({ number }) => number)).toEqual([]);
  });

  test('decisions that amend another say so, and so does the other', () => {
    const amended = decisions.flatMap(({ number, amends }) => amends.map((other) => `${number} amends ${other}`));
    const known = decisions.flatMap(({ number, amendedBy }) => amendedBy.map((other) => `${other} amends ${number}`));
    expect(amended.length).toBeGreaterThan(4);
    expect(amended.toSorted()).toEqual(known.toSorted());
  });

  test('decisions are listed in docs/adr/README.md under their titles, and no others', () => {
    const listed = [...read('docs/adr/README.md').matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, file]) => [
      title,
      file,
    ]);
    expect(listed).toEqual(pages.map((path) => [/^# (.+)$/m.exec(read(path))?.[1], path.replace('docs/adr/', '')]));
  });
});
