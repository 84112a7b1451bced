// What a release publishes: each package describes itself, and the workflow of a tag publishes each artifact.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { licencesMissingIn } from '../rigs/release/licences.ts';
import { read, root } from '../source-tree.ts';

interface Manifest {
  name: string;
  description: string;
  license: string;
  keywords: string[];
  homepage: string;
  bugs: { url: string };
  repository: { url: string; directory?: string };
  files: string[];
  publishConfig: object;
  scripts: Record<string, string>;
}

const manifests = [
  'package.json',
  ...readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('package.json') && !path.includes('node_modules'))
    .map((path) => `packages/${path}`),
];

describe.each(manifests)('the package of %s', (path) => {
  const manifest = JSON.parse(read(path)) as Manifest;
  const folder = path.replace(/\/?package\.json$/, '');

  // Promise W33
  test('a published package says where it comes from, where faults are reported, and proves who built it', () => {
    const { homepage, repository, bugs, keywords, description, license, publishConfig } = manifest;
    expect([repository.url, repository.directory ?? '']).toEqual([expect.stringMatching(/^git\+.+\.git$/), folder]);
    const address = repository.url.replace(/^git\+|\.git$/g, '');
    expect([homepage, bugs.url].filter((url) => !url.startsWith(address))).toEqual([]);
    expect([description.length > 20, keywords.length > 3, license]).toEqual([true, true, 'Apache-2.0']);
    expect(publishConfig).toEqual({ access: 'public', provenance: true });
  });

  // Promise W33
  test('a published package is built when it is packed, so that none lacks what it names', () => {
    expect(manifest.scripts['prepack']).toMatch(/build/);
  });
});

interface Job {
  needs?: string;
  permissions?: Record<string, string>;
  steps: { run?: string; uses?: string }[];
}
const workflow = parse(read('.github/workflows/release.yml')) as {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};
const doesOf = (job: Job | undefined): string =>
  (job?.steps ?? []).map(({ run, uses }) => run ?? uses ?? '').join('\n');

// Promise W33
test.each([
  ['npm', /npm publish/, 'id-token'],
  ['pypi', /gh-action-pypi-publish/, 'id-token'],
  ['chart', /helm push release\/helm-chart-/, 'packages'],
  ['image', /build-push-action/, 'packages'],
  ['github', /gh release create/, 'contents'],
  ['docs', /npm run docs\n[^]*deploy-pages/, 'pages'],
])('the workflow of a tag publishes to %s, with the permission for it alone', (name, does, permission) => {
  const job = workflow.jobs[name];
  expect(doesOf(job)).toMatch(does);
  expect(job?.permissions?.[permission]).toBe('write');
  if (name !== 'image' && name !== 'docs') expect(job?.needs).toBe('artifacts');
});

// Promise W33
test('the workflow of a tag holds no token of npm or PyPI, and may write nothing by default', () => {
  expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\./);
  expect(workflow.permissions).toEqual({ contents: 'read' });
});

// Promise W35
test('the built program has the licence of each package that it holds or installs, notices that name it, and both are published', () => {
  expect(licencesMissingIn(root)).toEqual([]);
  const { files } = JSON.parse(read('package.json')) as Manifest;
  const isPublished = (path: string): boolean => files.some((entry) => `${path}/`.startsWith(`${entry}/`));
  const texts = ['dist/cli/bundle/licences.md', 'dist/web/licences.md', 'THIRD_PARTY_NOTICES.md'];
  expect(texts.filter((path) => !isPublished(path))).toEqual([]);
});
