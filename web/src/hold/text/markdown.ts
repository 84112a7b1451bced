/*
 * Agents' Markdown as a small tree of harmless elements. Raw HTML is shown as the text it is, there are no images, a link
 * shows the host it leads to, headings are bold paragraphs: no agent text enters the page's outline or imitates the page.
 */
import { lexer, type MarkedToken, type Token } from 'marked';
import { isDiff } from '../diff/read-diff.ts';
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

type Of<T extends MarkedToken['type']> = Extract<MarkedToken, { type: T }>;
type Readers = { [T in MarkedToken['type']]: (token: Of<T>, depth: number) => MarkNode[] };

const wrapped = (token: Of<'strong' | 'em' | 'del'>, depth: number): MarkNode[] => [
  el(token.type, blocks(token.tokens, depth)),
];

/** By the type of a token. */
const readers: Readers = {
  space: () => [],
  def: () => [],
  paragraph: (token, depth) => [el('p', blocks(token.tokens, depth))],
  heading: (token, depth) => [el('p', [el('strong', blocks(token.tokens, depth))], 'heading')],
  blockquote: (token, depth) => [el('blockquote', blocks(token.tokens, depth))],
  list: readList,
  // Only ever within a list, which reads its items.
  list_item: ({ raw }) => [raw],
  checkbox: ({ checked }) => [checked ? '☑ ' : '☐ '],
  // A diff is drawn as one, from its text alone.
  code: ({ text, lang }) =>
    isDiff(lang ?? '', text) ? [el('pre', [text], 'diff')] : [el('pre', [el('code', [text])])],
  codespan: ({ text }) => [el('code', [text])],
  html: ({ block, raw }) => (block ? [el('p', [raw.trimEnd()], 'asis')] : [raw]),
  hr: () => [el('hr')],
  br: () => [el('br')],
  strong: wrapped,
  em: wrapped,
  del: wrapped,
  link: (token, depth) => link(blocks(token.tokens, depth), token.href),
  image: ({ text, href }) => link([text.trim() === '' ? 'image' : `image: ${text}`], href),
  table: readTable,
  escape: ({ text }) => [text],
  text: (token, depth) => (token.tokens === undefined ? [decoded(token.text)] : blocks(token.tokens, depth)),
};

// Safe: the lexer runs without extensions, so it makes no other tokens; one that is none of these is shown all the same.
function node(token: Token, depth: number): MarkNode[] {
  const read = readers[token.type as MarkedToken['type']] as ((token: Token, depth: number) => MarkNode[]) | undefined;
  return read === undefined ? [token.raw] : read(token, depth);
}

function readList({ items, ordered, start }: Of<'list'>, depth: number): MarkNode[] {
  const lines = items.map((item) => el('li', blocks(item.tokens, depth)));
  if (!ordered) return [el('ul', lines)];
  return [{ ...el('ol', lines), ...(typeof start === 'number' && start !== 1 ? { start } : {}) }];
}

function readTable({ header, rows }: Of<'table'>, depth: number): MarkNode[] {
  const row = (cells: typeof header, tag: 'th' | 'td'): MarkElement =>
    el(
      'tr',
      cells.map((cell) => el(tag, blocks(cell.tokens, depth), cell.align === 'right' ? 'num' : undefined)),
    );
  const body = rows.map((cells) => row(cells, 'td'));
  return [el('table', [el('thead', [row(header, 'th')]), el('tbody', body)])];
}

/** A link that says where it leads; what is not a web address stays text. */
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
