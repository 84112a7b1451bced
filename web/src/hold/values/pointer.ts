// JSON pointers (RFC 6901), as text and as the keys they name; pure.

export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** `/to/zip~1code` → to, zip/code. */
export const pointerKeys = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The same in a URI's fragment, where `%` escapes as well: `#/to/zip%20code`. */
export const fragmentKeys = (fragment: string): string[] =>
  pointerKeys(fragment.replace(/^#/, '').split('/').map(unescaped).join('/'));

/** An escaped slash is kept: it would divide one key in two. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('/', '~1');
  } catch {
    return part;
  }
}
