// `npm run lists`: the list of documents in docs/README.md, put into README.md and llms.txt.
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

const section = /^## (.+)\n\n((?:- .+\n(?: {2}.+\n)*)+)/gm;
const item = /^- \[(.+?)\]\((.+?)\)(?:: (.+(?:\n {2}.+)*))?$/gm;

/** The sections of docs/README.md, with paths from the root: `{ title, items: [{ name, path, about }] }`. */
export function readSections() {
  return [...read('docs/README.md').matchAll(section)].map(([, title, list]) => ({
    title,
    items: [...list.matchAll(item)].map(([, name, path, about = '']) => ({
      name,
      path: posix.join('docs', path),
      about: about.replaceAll(/\s+/g, ' '),
    })),
  }));
}

/** A word of Markdown; code is not broken. */
export const wordOrCode = /\S*?`[^`]*`\S*|\S+/g;

/** Words of Markdown, in lines of at most 120 columns; a link is never broken. */
export function wrapped(words) {
  const lines = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= 120) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : `  ${word}`);
  }
  return lines.join('\n');
}

const small = (name) => (/^(?!Python)[A-Z][a-z]/.test(name) ? name[0].toLowerCase() + name.slice(1) : name);

const forReadme = (sections) =>
  sections
    .map(({ title, items }) => {
      const links = items.map(
        ({ name, path }, at) => `[${small(name)}](${path})${at === items.length - 1 ? '' : ' ·'}`,
      );
      return wrapped([`- **${title}**:`, ...links.map((link) => link.replaceAll(' ', '\u00A0'))]);
    })
    .join('\n')
    .replaceAll('\u00A0', ' ');

const forPrograms = (sections) =>
  sections
    .map(({ title, items }) => {
      const lines = items.map(({ name, path, about }) => `- [${name}](${path})${about === '' ? '' : `: ${about}`}`);
      return `## ${title}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');

/** The files that have the lists, as they should be: `[path, text]`. */
export function filesWithLists() {
  const sections = readSections();
  const [before, rest = ''] = read('README.md').split('<!-- documents:begin -->\n');
  const after = rest.split('<!-- documents:end -->')[1] ?? '';
  const head = read('llms.txt').split('\n## ')[0];
  return [
    ['README.md', `${before}<!-- documents:begin -->\n\n${forReadme(sections)}\n\n<!-- documents:end -->${after}`],
    ['llms.txt', `${head}\n${forPrograms(sections)}`],
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of filesWithLists()) writeFileSync(new URL(path, root), text);
