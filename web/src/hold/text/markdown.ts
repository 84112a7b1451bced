/*
 * Agents' Markdown as a small tree of harmless elements. Raw HTML is shown as the text it is, there are no images, a link
 * shows the host it leads to, headings are bold paragraphs: no agent text enters the page's outline or imitates the page.
 */
import { lexer, type MarkedToken, type Token } from 'marked';
import { visible } from '../../base/text/visible.ts';
import { webAddress } from './web-address.ts';

export type MarkNode = string | MarkElement;
export interface MarkElement {
  tag: Tag;
  /** Of `a` only: an http(s) address. */
  href?: string;
  /** Of `ol` only. */
  start?: number;
  className?: string;
  children: MarkNode[];
}
type Tag =
  | 'p'
  | 'strong'
  | 'em'
  | 'del'
  | 'code'
  | 'pre'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'hr'
  | 'br'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'a'
  | 'span';

const maxChars = 60_000;
const maxDepth = 24;

/** Never throws: what cannot be read as Markdown is shown as it is. */
export function readMarkdown(text: string): MarkNode[] {
  const shown = visible(text);
  if (shown.length > maxChars) return [plain(shown)];
  try {
    return blocks(lexer(shown), 0);
  } catch {
    return [plain(shown)];
  }
}

const plain = (text: string): MarkElement => el('p', [text], 'asis');

function el(tag: Tag, children: MarkNode[] = [], className?: string): MarkElement {
  return className === undefined ? { tag, children } : { tag, className, children };
}

function blocks(tokens: readonly Token[] | undefined, depth: number): MarkNode[] {
  if (depth > maxDepth) return (tokens ?? []).map(({ raw }) => raw);
  return (tokens ?? []).flatMap((token) => node(token, depth + 1));
}

// Safe: the lexer runs without extensions, so it makes no other tokens; the default case meets them all the same.
const known = (token: Token): MarkedToken => token as MarkedToken;

function node(given: Token, depth: number): MarkNode[] {
  const token = known(given);
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'paragraph':
      return [el('p', blocks(token.tokens, depth))];
    case 'heading':
      return [el('p', [el('strong', blocks(token.tokens, depth))], 'heading')];
    case 'blockquote':
      return [el('blockquote', blocks(token.tokens, depth))];
    case 'list': {
      const items = token.items.map((item) => el('li', blocks(item.tokens, depth)));
      if (!token.ordered) return [el('ul', items)];
      return [
        { ...el('ol', items), ...(typeof token.start === 'number' && token.start !== 1 ? { start: token.start } : {}) },
      ];
    }
    case 'checkbox':
      return [token.checked ? '☑ ' : '☐ '];
    case 'code':
      return [el('pre', [el('code', [token.text])])];
    case 'codespan':
      return [el('code', [token.text])];
    case 'html':
      return token.block ? [el('p', [token.raw.trimEnd()], 'asis')] : [token.raw];
    case 'hr':
    case 'br':
      return [el(token.type)];
    case 'strong':
    case 'em':
    case 'del':
      return [el(token.type, blocks(token.tokens, depth))];
    case 'link':
      return link(blocks(token.tokens, depth), token.href);
    case 'image':
      return link([token.text.trim() === '' ? 'image' : `image: ${token.text}`], token.href);
    case 'table': {
      const row = (cells: typeof token.header, tag: 'th' | 'td'): MarkElement =>
        el(
          'tr',
          cells.map((cell) => el(tag, blocks(cell.tokens, depth))),
        );
      const body = token.rows.map((cells) => row(cells, 'td'));
      return [el('table', [el('thead', [row(token.header, 'th')]), el('tbody', body)])];
    }
    case 'escape':
      return [token.text];
    case 'text':
      return token.tokens === undefined ? [decoded(token.text)] : blocks(token.tokens, depth);
    default:
      return [given.raw];
  }
}

/** A link that says where it leads; what is no web address stays text. */
function link(children: MarkNode[], address: string): MarkNode[] {
  const url = webAddress(address);
  if (url === null) return [...children, address === '' ? '' : ` (${address})`];
  const text = textOf(children);
  const isPlain = text === address || text === url.href;
  return [
    { tag: 'a', href: url.href, children: isPlain ? children : [...children, el('span', [` (${url.host})`], 'host')] },
  ];
}

export function textOf(nodes: readonly MarkNode[]): string {
  return nodes.map((one) => (typeof one === 'string' ? one : textOf(one.children))).join('');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decoded(text: string): string {
  return text.replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/giu, (raw, name, decimal, hex) => {
    if (typeof name === 'string') return entities[name.toLowerCase()] ?? raw;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10_ff_ff ? visible(String.fromCodePoint(code)) : raw;
  });
}
