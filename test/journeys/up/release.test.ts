// A release is rehearsed: made whole in a clone of this tree, whose tag and artifacts are then checked.
import { execFile } from 'node:child_process';
import { readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { imageTags, notesOf, readArgs, withHighlights } from '../../../scripts/release.mjs';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { root } from '../../source-tree.ts';

const run = promisify(execFile);
const supervisor = createSupervisor();
let clone = '';
let printed = '';

const inClone = (path: string): Promise<string> => readFile(join(clone, path), 'utf8');

beforeAll(async () => {
  clone = join(await supervisor.tempDir('release'), 'clone');
  printed = (await run(process.execPath, ['scripts/release.mjs', '--dry-run', clone], { cwd: root })).stdout;
});
afterAll(() => supervisor.end());

test('a rehearsed release has one version everywhere, a tag, and notes for it', async () => {
  const { version } = JSON.parse(await inClone('package.json')) as { version: string };
  const { version: ofClient } = JSON.parse(await inClone('packages/client/package.json')) as { version: string };
  expect(ofClient).toBe(version);
  expect(await inClone('packages/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
  const chart = parse(await inClone('deploy/helm/standfast/Chart.yaml')) as unknown;
  expect(chart).toMatchObject({ version, appVersion: version });
  expect((await run('git', ['tag', '--points-at', 'HEAD'], { cwd: clone })).stdout.trim()).toBe(`v${version}`);
  const notes = await inClone('release/notes.md');
  const hasHighlights = (await readdir(join(root, '.changeset'))).includes('highlights.md');
  expect(notes.startsWith('### ')).toBe(!hasHighlights);
  expect(printed).toContain(`would release ${version}`);
});

/** What names versions of the past or examples of them: prose, other people's packages, what a release keeps. */
const isOfOtherVersions = (path: string): boolean =>
  /^(docs\/.*\.md|[A-Z_]+\.md|drizzle\/|test\/|scripts\/|examples\/(copilotkit|front-ends)\/)/.test(path) &&
  path !== 'docs/agents.md';

test('a rehearsed release names the version before it nowhere', async () => {
  const { version: before } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const { version } = JSON.parse(await inClone('package.json')) as { version: string };
  expect(version).not.toBe(before);
  const found = (await run('git', ['grep', '-lIwF', before], { cwd: clone })).stdout.trim().split('\n');
  expect(found.filter((path) => !isOfOtherVersions(path))).toEqual(['package-lock.json']);
  type Lock = { version: string; packages: Record<string, { version: string }> };
  const lock = JSON.parse(await inClone('package-lock.json')) as Lock;
  expect([lock.version, lock.packages['']?.version]).toEqual([version, version]);
});

test('the packed program of a rehearsed release says the version that it has', async () => {
  const { version } = JSON.parse(await inClone('package.json')) as { version: string };
  const bare = await supervisor.tempDir('packed');
  await run('tar', ['-xzf', join(clone, `release/standfast-${version}.tgz`), '-C', bare]);
  await symlink(join(root, 'node_modules'), join(bare, 'node_modules'));
  const { stdout } = await run(process.execPath, [join(bare, 'package/dist/cli/main.js'), '--version']);
  expect(stdout.trim()).toBe(version);
  const packed = JSON.parse(await readFile(join(bare, 'package/package.json'), 'utf8')) as Record<string, object>;
  expect(Object.keys(packed['dependencies'] ?? {}).length).toBeLessThan(20);
  const files = await readdir(join(bare, 'package'), { recursive: true, withFileTypes: true });
  expect(files.filter((entry) => entry.isFile()).length).toBeLessThanOrEqual(950);
});

// Promise W28
test('a rehearsed release keeps its histories, its tables and its interface for the tests of later versions', async () => {
  const { version } = JSON.parse(await inClone('package.json')) as { version: string };
  const files = (await run('git', ['ls-files', `test/releases/${version}`], { cwd: clone })).stdout;
  for (const name of ['histories/quorum.json', 'drizzle/0000_tables.sql', 'drizzle/meta/_journal.json'])
    expect(files).toContain(`test/releases/${version}/${name}\n`);
  const kept = gunzipSync(await readFile(join(clone, `test/releases/${version}/openapi.json.gz`))).toString('utf8');
  expect(kept).toBe(await inClone('docs/openapi.json'));
});

test('a rehearsed release leaves this tree as it was', async () => {
  expect((await run('git', ['tag', '--list', 'v*'], { cwd: root })).stdout).not.toContain(
    (JSON.parse(await inClone('package.json')) as { version: string }).version,
  );
});

test('the artifacts of a release are the packages, the interface, the bill of materials, and their checksums', async () => {
  const { version } = JSON.parse(await inClone('package.json')) as { version: string };
  const sums = await inClone('release/SHA256SUMS');
  for (const name of [
    `standfast-${version}.tgz`,
    `standfast-client-${version}.tgz`,
    `openapi-${version}.json`,
    `bom-${version}.json`,
    'image-tags.txt',
    'notes.md',
  ])
    expect(sums).toContain(`  ${name}\n`);
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(clone, 'release') });
});

test('after a release db:generate adds a file or nothing, asks for its name, and removes none', async () => {
  const generate = (...args: string[]) =>
    run(process.execPath, ['scripts/generate-tables.mjs', ...args], { cwd: clone });
  const changed = async (): Promise<string> =>
    (await run('git', ['status', '--porcelain', '--', 'drizzle'], { cwd: clone })).stdout;
  await expect(generate()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('say what changes') });
  await generate('add-nothing');
  expect(await changed()).toBe('');
  const schema = join(clone, 'src/store/schema.ts');
  const text = await readFile(schema, 'utf8');
  await writeFile(schema, `${text}\nexport const later = pgTable('later', { name: text().primaryKey() });\n`);
  await generate('add-later');
  await writeFile(schema, text);
  const lines = (await changed()).trim().split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^\?\? drizzle\/.*add-later/));
  expect(lines.filter((line) => /^.?D/.test(line))).toEqual([]);
  await run('git', ['clean', '-fdq', 'drizzle'], { cwd: clone });
  await run('git', ['checkout', '-q', '--', 'drizzle'], { cwd: clone });
});

test('a release without notes is refused', () => {
  expect(() => notesOf('# Changelog\n\n## 0.2.0\n\nText\n', '0.3.0')).toThrow(/no section "## 0.3.0"/);
  expect(notesOf('# Changelog\n\n## 0.2.0 (2026-12-01)\n\nText\n\n## 0.1.0\n', '0.2.0')).toBe('Text\n');
});

test('the section of a release begins with its highlights, and that of the first release has them alone', () => {
  const changelog = '# Changelog\n\n## 0.3.0\n\n### Minor Changes\n\n- 1a2b: A thing\n\n## 0.2.0\n\nOlder\n';
  expect(withHighlights(changelog, '0.3.0', 'In short.', false)).toBe(
    changelog.replace('### Minor', 'In short.\n\n### Minor'),
  );
  expect(withHighlights(changelog, '0.3.0', 'In short.', true)).toBe(
    '# Changelog\n\n## 0.3.0\n\nIn short.\n\n## 0.2.0\n\nOlder\n',
  );
  expect(withHighlights(changelog, '0.3.0', null, false)).toBe(changelog);
  expect(() => withHighlights(changelog, '0.4.0', null, false)).toThrow(/no section "## 0.4.0"/);
});

test('an image has its exact version and its minor as tags, a pre-release only its own', () => {
  expect(imageTags('0.2.1')).toEqual(['0.2.1', '0.2']);
  expect(imageTags('0.3.0-rc.1')).toEqual(['0.3.0-rc.1']);
});

test.each([['--help'], ['--dryrun'], ['0.3.0'], ['--artifacts', 'somewhere'], ['--dry-run', '--artifacts']])(
  'a release that is asked for by %s is not made, and the usage is shown',
  (...args) => {
    expect(() => readArgs(args)).toThrow(/usage: npm run release/);
  },
);

test('a release is made without arguments, and rehearsed with --dry-run', () => {
  expect([readArgs([]).does, readArgs(['--dry-run']).does, readArgs(['--dry-run', '/tmp/here']).at]).toEqual([
    'release',
    'rehearse',
    '/tmp/here',
  ]);
});
