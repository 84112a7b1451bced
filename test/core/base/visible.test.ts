// Two texts that differ look different: what would not be seen is written out, wherever names, values and words are shown.
import { describe, expect, test } from '@jest/globals';
import { plain } from '../../../src/cli/operate/tables.ts';
import { textLines } from '../../../src/cli/operate/text-lines.ts';
import { hasHiding, visible } from '../../../src/core/base/visible.ts';
import { argFields, argLines } from '../../../src/core/questions/arg-fields.ts';
import { inertText } from '../../../src/core/questions/inert-text.ts';
import { others } from '../../../src/core/questions/notice.ts';
import { fc } from '../../rigs/properties.ts';

/** Characters that no font draws, by Unicode, and those that move their neighbours. */
const hiding = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800]/u.test(sign),
);

const surfaces: [string, (text: string) => string][] = [
  ['a page', visible],
  ['a message’s arguments', (text) => argLines(argFields({ [text]: text }))],
  ['a mail and a chat', inertText],
  ['a notice', (text) => others(text, 500)],
  ['a terminal', plain],
  ['a terminal’s long text', (text) => textLines(text).join('\n')],
];

describe.each(surfaces)('on %s', (where, show) => {
  // Promise Y46a
  test(`on ${where} no two words look alike that differ by characters which are not drawn`, () => {
    const between = fc.constantFrom(...hiding);
    fc.assert(
      fc.property(between, between, (one, other) => {
        const [bare, with1, with2] = ['pay', `p${one}ay`, `p${other}ay`].map(show);
        expect(with1).not.toBe(bare);
        expect(hasHiding(with1 ?? '')).toBe(false);
        if (one !== other && !/[\u2028\u2029]/.test(one + other)) expect(with2).not.toBe(with1);
      }),
    );
  });
});

// Promise Y46a
test.each(['👩‍💻 done', '❤️', '1️⃣', 'می‌خواهم', 'ක්‍රම', 'a\tb\nc', 'straße, 日本語, 한국어'])(
  'what scripts and emoji need is shown as it is: %s',
  (text) => {
    expect(visible(text)).toBe(text);
  },
);

// Promise Y46a
test.each([
  ['p\u200Day', 'p[U+200D]ay'],
  ['10\uFE0F00', '10[U+FE0F]00'],
  ['pay\u3164', 'pay[U+3164]'],
  ['a\u{E0061}b', 'a[U+E0061]b'],
  ['می\u200C\u200Cخ', 'می[U+200C][U+200C]خ'],
  ['سلام\u200C', 'سلام[U+200C]'],
  ['سلام\u200C 5', 'سلام[U+200C] 5'],
  ['pay\u{1D159}', 'pay[U+1D159]'],
  ['pay\u{13430}', 'pay[U+13430]'],
])('what hides next to a letter is written out: %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});
