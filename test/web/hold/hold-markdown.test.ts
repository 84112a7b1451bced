import { describe, expect, test } from '@jest/globals';
import { firstLines, cut, oneLine, visible } from '../../../web/src/base/text/visible.ts';
import { type MarkNode, readMarkdown, textOf } from '../../../web/src/hold/text/markdown.ts';
import { cpuMsOf } from '../../rigs/quickest.ts';
import { fc } from '../../rigs/properties.ts';

const allowed = new Set(
  'p strong em del code pre blockquote ul ol li hr br table thead tbody tr th td a span'.split(' '),
);

function everyElement(nodes: readonly MarkNode[]): Exclude<MarkNode, string>[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...everyElement(node.children)]));
}

const hostile: [string, string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['an image with a handler', '<img src=x onerror=alert(1)>'],
  ['a javascript link', '[ok](javascript:alert(1))'],
  ['a javascript link with a tab', '[ok](java\tscript:alert(1))'],
  ['a javascript link in entities', '[ok](&#106;avascript:alert(1))'],
  ['a data link', '[ok](data:text/html;base64,PHNjcmlwdD4=)'],
  ['a vbscript autolink', '<vbscript:x>'],
  ['an image', '![x](https://evil.example/pixel.png)'],
  ['a link in an image', '[![x](https://a.example/p.png)](javascript:alert(1))'],
  ['a style', '<style>body{display:none}</style>'],
  ['an iframe', '<iframe src="https://evil.example"></iframe>'],
  ['svg', '<svg onload=alert(1)>'],
  ['half a tag', '<a href="javascript:alert(1)"'],
  ['a reference link', '[x][y]\n\n[y]: javascript:alert(1)'],
  ['a deep quote', `${'>'.repeat(3_000)} x`],
  ['a deep list', Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
  ['stars without end', '*'.repeat(20_000)],
  ['brackets without end', '['.repeat(20_000)],
];

describe('Markdown of an agent', () => {
  test.each(hostile)('Markdown of an agent with %s becomes harmless elements', (_what, text) => {
    let tree: ReturnType<typeof readMarkdown> = [];
    expect(cpuMsOf(() => (tree = readMarkdown(text)))).toBeLessThan(2_000);
    for (const element of everyElement(tree)) {
      expect(allowed).toContain(element.tag);
      expect(
        Object.keys(element).filter((key) => !['tag', 'href', 'start', 'className', 'children'].includes(key)),
      ).toEqual([]);
      if (element.href !== undefined) expect(element.href).toMatch(/^https?:\/\//);
    }
  });

  test('Markdown of an agent shows raw HTML as the text it is', () => {
    expect(textOf(readMarkdown('a <b onclick=x>bold</b> word'))).toBe('a <b onclick=x>bold</b> word');
    expect(textOf(readMarkdown('<div>\nblock\n</div>'))).toContain('<div>');
  });

  test('Markdown of an agent names the host a link leads to, and links to web addresses alone', () => {
    expect(textOf(readMarkdown('[https://bank.example](https://evil.example/login)'))).toBe(
      'https://bank.example (evil.example)',
    );
    expect(everyElement(readMarkdown('[x](https://bank.example@evil.example/)')).some(({ tag }) => tag === 'a')).toBe(
      false,
    );
    expect(textOf(readMarkdown('[x](javascript:alert(1))'))).toBe('x (javascript:alert(1))');
  });

  test('Markdown of an agent never loads an image: its words and address are shown', () => {
    const tree = readMarkdown('![logo](https://a.example/l.png)');
    expect(everyElement(tree).map(({ tag }) => tag)).not.toContain('img');
    expect(textOf(tree)).toBe('image: logo (a.example)');
  });

  test('Markdown of an agent keeps its headings out of the page’s outline', () => {
    expect(readMarkdown('# Decision recorded')).toEqual([
      { tag: 'p', className: 'heading', children: [{ tag: 'strong', children: ['Decision recorded'] }] },
    ]);
  });

  test('Markdown of an agent is drawn with its lists, code and tables', () => {
    const tags = everyElement(readMarkdown('1. a\n2. b\n\n`x`\n\n```\ny\n```\n\n| h |\n|---|\n| c |\n')).map(
      ({ tag }) => tag,
    );
    for (const tag of ['ol', 'li', 'code', 'pre', 'table', 'th', 'td']) expect(tags).toContain(tag);
  });

  test('Markdown of an agent sets a column to the right where its author did, its name with it', () => {
    const table = '| what | EUR |\n|---|---:|\n| desk | 84.50 |\n';
    const cells = everyElement(readMarkdown(table)).filter(({ tag }) => tag === 'th' || tag === 'td');
    expect(cells.map(({ className }) => className)).toEqual([undefined, 'num', undefined, 'num']);
  });

  test('Markdown of an agent reads whatever comes without throwing', () => {
    const bits = fc.constantFrom(
      '*',
      '_',
      '`',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '#',
      '-',
      '|',
      '\n',
      ' ',
      'a',
      '&lt;',
      '&#0;',
      '\\',
      '!',
    );
    fc.assert(fc.property(fc.array(bits, { maxLength: 60 }), (list) => void readMarkdown(list.join(''))));
  });

  test('Markdown of an agent is cut after forty lines, and says that there is more', () => {
    const long = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n');
    const { head, isAll } = firstLines(long);
    expect(head.split('\n')).toHaveLength(40);
    expect(isAll).toBe(false);
    expect(firstLines('short')).toEqual({ head: 'short', isAll: true });
    expect(firstLines('x'.repeat(10_000)).head).toHaveLength(4_000);
  });
});

describe('text of an agent', () => {
  test('text of an agent shows the characters that would turn it round or hide in it', () => {
    expect(visible('pay \u202E01 EUR\u202C')).toBe('pay [U+202E]01 EUR[U+202C]');
    expect(visible('a\u200Bb\u0007c\u{E0041}')).toBe('a[U+200B]b[U+0007]c[U+E0041]');
  });

  test('text of an agent keeps line breaks, tabs, joined emoji and every script', () => {
    const text = 'Zeile\r\n\tשלום 👩‍👧 नमस्ते';
    expect(visible(text)).toBe('Zeile\n\tשלום 👩‍👧 नमस्ते');
  });

  test('text of an agent of ten thousand characters becomes one short title', () => {
    const title = oneLine(`Pay\n\n now ${'x'.repeat(10_000)}`, 160);
    expect(title).toHaveLength(160);
    expect(title.startsWith('Pay now x')).toBe(true);
    expect(title.endsWith('…')).toBe(true);
  });

  test('text of an agent is never cut in the middle of a character', () => {
    expect(cut('👍👍👍', 2)).toBe('👍…');
  });
});
