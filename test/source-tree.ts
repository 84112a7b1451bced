// Reads the sources as text: TypeScript 7 has no JavaScript API, and imports are regular enough without one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export const read = (path: string): string => readFileSync(posix.join(root, path), 'utf8');

/** Files below a directory of the repository, as paths from its root; nothing when the directory is not there. */
export function filesBelow(dir: string, isWanted: (path: string) => boolean = () => true): string[] {
  if (!existsSync(posix.join(root, dir))) return [];
  return readdirSync(posix.join(root, dir), { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .flatMap((entry) => {
      const path = `${dir}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(path, isWanted);
      return isWanted(path) ? [path] : [];
    })
    .toSorted();
}

export interface Import {
  from: string;
  /** As written; `target` is the path from the root for a relative one or one of `#dist/`, else null. */
  specifier: string;
  target: string | null;
  isTypeOnly: boolean;
}

const statement = /(?:^|\n)[ \t]*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?(['"])([^'"\n]+)\2/g;
const call = /\b(?:import|require)\(\s*(['"])([^'"\n]+)\1\s*\)/g;

/** All imports and re-exports of a file; `import('x')` counts as a value, also where it names a type. */
export function importsOf(path: string): Import[] {
  const text = withoutComments(read(path));
  const statements = [...text.matchAll(statement)].map((match) => ({
    specifier: match[3] ?? '',
    isTypeOnly: match[1] !== undefined,
  }));
  const calls = [...text.matchAll(call)].map((match) => ({ specifier: match[2] ?? '', isTypeOnly: false }));
  return [...statements, ...calls].map(({ specifier, isTypeOnly }) => ({
    from: path,
    specifier,
    target: specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier)
      : specifier.startsWith('#dist/')
        ? specifier.slice(1)
        : null,
    isTypeOnly,
  }));
}

/** Only comments that begin a line or follow code after a space: a text with `//` in it (an address) stays whole. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/(?=\s|$).*$/gm, '$1');
}

/** Circles of imports, each once, named from its first file on; those of parts that are loaded later count. */
export function circlesOf(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, target } of imports) if (target !== null) next.set(from, [...(next.get(from) ?? []), target]);
  const circles = new Set<string>();
  const left = new Set<string>();
  const walk = (path: string, above: string[]): void => {
    const start = above.indexOf(path);
    if (start !== -1) {
      const circle = above.slice(start);
      const first = circle.indexOf(circle.toSorted()[0] ?? '');
      circles.add([...circle.slice(first), ...circle.slice(0, first)].join(' → '));
    } else if (!left.has(path)) {
      for (const target of next.get(path) ?? []) walk(target, [...above, path]);
      left.add(path);
    }
  };
  for (const path of next.keys()) walk(path, []);
  return [...circles];
}
