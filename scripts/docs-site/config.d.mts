export function anchorOf(heading: string): string;
export function linkOf(page: string, href: string): string;

/** What VitePress calls with its markdown-it. */
export function asWritten(
  srcDir: string,
): (markdown: { core: { ruler: { push(name: string, rule: (state: object) => void): void } } }) => void;
