// How VitePress shows docs/: the same files, listed as docs/README.md lists them; nothing is loaded from elsewhere.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSections } from '../link-lists.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { homepage, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const repository = homepage.split('#')[0];

/** GitHub's way to make an anchor of a heading, which the documents' links use. */
export const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Where a link of docs/<page> leads: pages within docs as they are, other files of the repository to the repository. */
export function linkOf(page, href) {
  if (/^[a-z]+:|^#|^\//.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = posix.join('docs', posix.dirname(page), path);
  if (target.startsWith('docs/') && /\.(md|webp)$/.test(target)) return href.replace(/(^|\/)README\.md/, '$1index.md');
  const isFolder = existsSync(join(root, target)) && statSync(join(root, target)).isDirectory();
  return `${repository}/${isFolder ? 'tree' : 'blob'}/main/${target}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Leads links where the site has them, and leaves code as it is: pages are Vue's templates, which replace `{{title}}`. */
export const asWritten = (srcDir) => (markdown) => {
  markdown.core.ruler.push('as-written', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'code_inline') token.attrSet('v-pre', '');
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href !== null) token.attrSet('href', linkOf(posix.relative(srcDir, env.path), href));
    }
  });
};

/** The address of a document: of the site, or of the repository. */
const addressOf = (path) => {
  const link = linkOf('README.md', posix.relative('docs', path));
  return link.endsWith('.md') && !link.includes('://') ? `/${link.replace(/(^|\/)index\.md$|\.md$/, '$1')}` : link;
};

export const configOf = ({ srcDir, outDir, cacheDir, base }) => ({
  title: 'Standfast',
  description,
  base,
  srcDir,
  outDir,
  cacheDir,
  cleanUrls: false,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md', 'adr/README.md': 'adr/index.md' },
  markdown: {
    // Angle brackets of the prose are names to be filled in, not tags.
    html: false,
    anchor: { slugify: anchorOf },
    config: asWritten(srcDir),
  },
  // The folder of docs is a link next to VitePress's packages, which pages import.
  vite: { resolve: { preserveSymlinks: true } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    sidebar: readSections().map(({ title, items }) => ({
      text: title,
      items: items.map(({ name, path }) => ({ text: name, link: addressOf(path) })),
    })),
  },
});
