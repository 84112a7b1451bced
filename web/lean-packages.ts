// What the build leaves out of other people's packages because their public interface cannot: each with its reason, what it is worth,
// and the version that it was written for and measured with. A build with another version fails, and so does one that finds
// nothing to replace: read the package again, measure, and write the new version here, or take the entry out. ADR 89.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export interface Replacement {
  /** The package that imports, as installed. */
  of: string;
  version: string;
  /** What it imports: the end of a path within itself, or another package. */
  imports: string;
  /** The code in its place. */
  by: string;
}

const pathOf = (path: string): string => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));

export const replacements: readonly Replacement[] = [
  {
    // Its own widgets, templates and layout grid, which our registry replaces. As properties of the form they would be loaded all
    // the same. Worth 7.5 KB gzip. The only path within the library: all others are in its `exports`.
    of: '@rjsf/core',
    version: '6.11.1',
    imports: '/getDefaultRegistry.js',
    by: `export { formRegistry as default } from ${pathOf('src/hold/form/registry.ts')};`,
  },
  {
    // A whole Markdown for titles of a part that our templates never draw. Worth 31.4 KB gzip.
    of: '@rjsf/core',
    version: '6.11.1',
    imports: 'markdown-to-jsx/react',
    by: 'export const Markdown = () => null;',
  },
  {
    // Equality of everything, for plain values of JSON. Worth 2.3 KB gzip.
    of: '@rjsf/utils',
    version: '6.11.1',
    imports: 'fast-equals',
    by: `export { createCustomEqual } from ${pathOf('src/hold/values/deep-equal.ts')};`,
  },
  {
    // Addresses of references, which browsers resolve themselves. Worth 7.2 KB gzip.
    of: '@rjsf/utils',
    version: '6.11.1',
    imports: 'fast-uri',
    by: `const resolve = (base, ref) => {
      try {
        return new URL(ref, base).href;
      } catch {
        return ref;
      }
    };
    export default { resolve, equal: (a, b) => resolve(undefined, a) === resolve(undefined, b) };`,
  },
];

const where = 'see web/lean-packages.ts';
const nameOf = ({ of, imports }: Replacement): string => `${imports} of ${of}`;

export function installedVersionOf(name: string): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
  );
  return (manifest as { version: string }).version;
}

/** Throws unless each package is the one that the entry is for. */
export function checkVersions(installed: (name: string) => string): void {
  for (const { of, version } of replacements) {
    const found = installed(of);
    if (found !== version)
      throw new Error(`${of} is ${found}, and what is left out of it was for ${version}: ${where}`);
  }
}

export const replacementFor = (source: string, importer = ''): Replacement | undefined =>
  replacements.find(
    ({ of, imports }) =>
      importer.replaceAll('\\', '/').includes(`/node_modules/${of}/`) &&
      (imports.startsWith('/') ? source.endsWith(imports) : source === imports),
  );

/** From here on marked builds its HTML renderer's default instance; the pages read tokens alone. */
const renderer = /\bvar (\w+)=new \w+;function (\w+)\(\w+,\w+\)\{return \1\.parse\(\w+,\w+\)\}\2\.options=/;
const lexer = /\b(\w+) as Lexer\b/;

export function leanPackages(): Plugin {
  const prefix = '\0standfast:';
  const applied = new Set<Replacement>();
  return {
    name: 'lean-packages',
    enforce: 'pre',
    buildStart: () => checkVersions(installedVersionOf),
    resolveId(source, importer) {
      const found = replacementFor(source, importer);
      if (found === undefined) return null;
      applied.add(found);
      return `${prefix}${found.imports}`;
    },
    load: (id) => replacements.find(({ imports }) => id === `${prefix}${imports}`)?.by ?? null,
    transform(code, id) {
      if (!/[\\/]marked[\\/].*\.js$/.test(id)) return null;
      const [from, name] = [renderer.exec(code)?.index, lexer.exec(code)?.[1]];
      if (from === undefined || name === undefined) throw new Error(`${id} is not the marked this was written for`);
      return { code: `${code.slice(0, from)}export const lexer=${name}.lex;`, map: null };
    },
    buildEnd(error) {
      if (error !== undefined) return;
      const left = replacements.filter((one) => !applied.has(one));
      if (left.length > 0) throw new Error(`nothing imports ${left.map(nameOf).join(', ')} any more: ${where}`);
    },
  };
}
