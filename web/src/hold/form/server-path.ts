// Where the server found something wrong: a JSON pointer, or a plain name.
export function serverPath(path: string): string[] {
  if (path === '' || path === '/') return [];
  const text = path.replace(/^#/, '');
  if (!text.startsWith('/')) return [text.replace(/^values\./, '')];
  const parts = text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts[0] === 'values' && parts.length > 1 ? parts.slice(1) : parts;
}
