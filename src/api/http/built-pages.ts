// The built pages, if there are any: read once, since what is served does not change under a running process.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BuiltPages {
  dir: string;
  /** Hash of the entry page, which names all others: another one means another build. */
  build: string;
  html: string;
}

const bundledPages = fileURLToPath(new URL('../../web/', import.meta.url));

export function readPages(dir: string = bundledPages): BuiltPages | null {
  try {
    const html = readFileSync(join(dir, 'index.html'), 'utf8');
    return { dir, build: createHash('sha256').update(html).digest('hex').slice(0, 16), html };
  } catch {
    return null;
  }
}
