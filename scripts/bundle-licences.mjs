// What is bundled is passed on: its licences go with it, as `dist/cli/bundle/licences.md` (`dist/web/licences.md` is Vite's).
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromLicenceFile } from './accepted-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const packageFolder = /(?:^|[^\w@.-])((?:node_modules\/(?:@[^/\s"']+\/)?[^/\s"'@]+\/)+)/g;
const licenceFile = /^(?:licen[cs]e|copying|notice|copyright)(?:[.-].*)?$/i;

/** Folders of packages that paths, or the text of a bundle, name. */
export const packagesNamedIn = (text) =>
  [...new Set([...text.matchAll(packageFolder)].map(([, folder]) => folder.slice(0, -1)))].filter((folder) =>
    existsSync(join(root, folder, 'package.json')),
  );

function licenceOf(folder) {
  const { name, version, license, licenses, author, repository } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  const stated = typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type);
  const texts = readdirSync(join(root, folder))
    .filter((file) => licenceFile.test(file) && !/\.(?:[cm]?js|ts|json)$/.test(file))
    .toSorted()
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  const by = author?.name ?? author ?? repository?.url ?? repository ?? name;
  return {
    name,
    title: `${name} ${version}: ${stated ?? fromLicenceFile.get(name) ?? 'see its text'}`,
    text: texts.join('\n\n') || `Its package has no text of its licence; it is by ${by}.`,
  };
}

/** One document of all licences; packages with the same text are named together above it. */
export function licencesOf(folders) {
  const byText = new Map();
  for (const { title, text } of folders.map(licenceOf)) byText.set(text, new Set([...(byText.get(text) ?? []), title]));
  const sections = [...byText].map(
    ([text, titles]) => `## ${[...titles].toSorted((a, b) => (a < b ? -1 : 1)).join('\n## ')}\n\n${text}\n`,
  );
  return ['# Licences of what this program bundles\n', ...sections.toSorted((a, b) => (a < b ? -1 : 1))].join('\n');
}
