// The image without Docker: what the Dockerfile copies is copied, what it runs is run, and its program is started there.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startUp } from '../../rigs/product/standfast.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { root } from '../../source-tree.ts';
import { longMs } from '../setting.ts';

const run = promisify(execFile);
const supervisor = createSupervisor();
let runtime = '';
let image = '';

const stagesOf = (dockerfile: string): string[][] =>
  dockerfile
    .split(/^FROM .*$/m)
    .slice(1)
    .map((stage) => stage.replaceAll('\\\n', ' ').split('\n'));

/** Copies as a line COPY does, `/app` and `/runtime` being folders of the stage before. */
async function copyLine(line: string, into: string, from: (path: string) => string): Promise<void> {
  const words = line.split(/\s+/).filter((word) => word !== 'COPY' && !word.startsWith('--'));
  const to = words.at(-1) ?? '';
  for (const source of words.slice(0, -1)) {
    const at = to.endsWith('/') ? join(into, to, basename(source)) : join(into, to);
    await mkdir(dirname(at), { recursive: true });
    await cp(from(source), at, { recursive: true });
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

beforeAll(async () => {
  const app = await supervisor.tempDir('image-build');
  runtime = await supervisor.tempDir('image-runtime');
  image = await supervisor.tempDir('image');
  const [build = [], last = []] = stagesOf(await readFile(join(root, 'Dockerfile'), 'utf8'));
  const copies = (stage: string[]): string[] => stage.filter((line) => line.startsWith('COPY '));
  for (const line of copies(build)) await copyLine(line, app, (path) => join(root, path));
  await symlink(join(root, 'node_modules'), join(app, 'node_modules'));
  for (const command of build.filter((line) => line.startsWith('RUN ') && !line.includes('npm ci')))
    await run('sh', ['-ec', command.slice('RUN '.length).replace(' /runtime', ` ${runtime}`)], { cwd: app });
  const isOfStage = (path: string): string =>
    path.startsWith('/') ? path.replace(/^\/app/, app).replace(/^\/runtime/, runtime) : join(root, path);
  for (const line of copies(last)) await copyLine(line, image, isOfStage);
}, longMs * 4);
afterAll(() => supervisor.end());

test('the image holds less than 200 MB next to Node, and one native bridge', async () => {
  expect(await bytesIn(image)).toBeLessThan(200e6);
  expect(await readdir(join(image, 'node_modules/@temporalio/core-bridge/releases'))).toHaveLength(1);
});

test('the program of the image starts with nothing but the packages that the image has', async () => {
  const up = await startUp(supervisor, {
    dataDir: await supervisor.tempDir('image-data'),
    configText: '',
    isEmbedded: true,
    file: join(image, 'dist/cli/main.js'),
    boundMs: longMs,
  });
  expect((await up.get('/readyz')).status).toBe(200);
  await up.stop();
});
