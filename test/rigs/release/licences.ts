// The licences and notices of what is passed on, in a folder with a built program: a tree or an installed package.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';

/** Packages that a bundle names in its comments and module ids, by paths from where it was built. */
function bundledIn(code: string): string[] {
  // A folder that is only spoken of has no package.
  const named = (code.match(/^\/\/ \S*node_modules\/.*$|"\.\S*\/node_modules\/\S+"/gm) ?? []).join('\n');
  return [...named.matchAll(/(?:node_modules\/)+((?:@[^/\s"']+\/)?[^/\s"'@]+)\//g)].map(([, name = '']) => name);
}

/** Each package that the program in `folder` holds or installs, and whose licence or notice is missing there. */
export function licencesMissingIn(folder: string): string[] {
  const text = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const chunks = readdirSync(join(folder, 'dist/cli/bundle')).filter((name) => name.endsWith('.js'));
  const files = ['dist/workflow-bundle.js', ...chunks.map((name) => `dist/cli/bundle/${name}`)];
  const bundled = [...new Set(files.flatMap((path) => bundledIn(text(path))))];
  expect(bundled.length).toBeGreaterThan(100);
  const licences = text('dist/cli/bundle/licences.md');
  const notices = text('THIRD_PARTY_NOTICES.md');
  const ofPages = [...text('dist/web/licences.md').matchAll(/^## (\S+) - ([\d.]+) \(/gm)];
  expect(ofPages.length).toBeGreaterThan(5);
  const { dependencies } = JSON.parse(text('package.json')) as { dependencies: Record<string, string> };
  return [
    ...bundled.filter((name) => !licences.includes(`## ${name} `)).map((name) => `licence of ${name}`),
    ...ofPages
      .filter(([, name, version]) => !notices.includes(`- ${name} ${version} (`))
      .map(([, name]) => `notice of ${name}, in the pages`),
    ...[...bundled, ...Object.keys(dependencies)]
      .filter((name) => !notices.includes(`\n- ${name} `))
      .map((name) => `notice of ${name}`),
  ];
}
