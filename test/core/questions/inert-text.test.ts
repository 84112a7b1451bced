import { describe, expect, test } from '@jest/globals';
import { inertText } from '../../../src/core/questions/inert-text.ts';
import { noticeOf, shownFields, type NoticeValues } from '../../../src/core/questions/notice.ts';
import { fc } from '../../rigs/properties.ts';

/** Whatever a mail program or Slack might make a link of: by a scheme, by `www`, by a name with an ending, by an @. */
const finders = [
  /[a-z][a-z0-9+.-]*:[/\\]{2}/iu,
  /(?<![a-z])(?:https?|ftp|mailto|tel|javascript|data|file|slack|sip):\S/iu,
  /www[.。．｡]\S/iu,
  /[\p{L}\p{N}][.。．｡]\p{L}{2,}/u,
  /\S@\S/u,
];
const linksIn = (text: string): string[] => finders.flatMap((finder) => finder.exec(text)?.slice(0, 1) ?? []);
/** A bracket ends a name, an address and a scheme for every program. */
const linksLeftIn = (text: string): string[] => linksIn(text.replaceAll(/\[[@.。．｡:]\]/g, ' '));

const tricks = [
  'https://evil.example/pay',
  'HTTPS://EVIL.EXAMPLE',
  'https://hold.example@evil.example/holds/h-1',
  'https://hold.example:pw@evil.example',
  'https://hold.example%2f@evil.example',
  'https:\\\\evil.example',
  'http:evil.example',
  'https:/evil.example',
  '//evil.example/x',
  'www.evil.example',
  'www.e',
  'evil.example',
  't.co/abc',
  'invoice.zip',
  'evil。example',
  'evil．example',
  'xn--e1afmkfd.xn--p1ai',
  'пример.рф',
  'pay@evil.example',
  'mailto:pay@evil.example',
  'tel:+4912345',
  'tel:+4912345https://evil.example/pay',
  '7mailto:pay@evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'slack://channel?id=1',
  '<https://evil.example|https://hold.example/holds/h-1>',
  '[hold.example](https://evil.example)',
  '<a href="https://evil.example">hold.example</a>',
  'https://[::1]/x',
  'ftp://evil.example',
  'hold.example.evil.example',
];

const values = (text: string): NoticeValues => ({
  event: 'opened',
  title: text,
  agent: 'expenses',
  stages: '',
  deadline: null,
  link: 'https://hold.example/holds/h-1',
  step: '',
  message: text,
  requester: text,
  toolArgs: { [text]: text },
  values: { to: text },
  reason: text,
  outcome: 'rejected',
  end: 'rejected',
  stated: text,
  ended: text,
  by: text,
  at: '2026-03-02T10:00:00.000Z',
  task: 'task-1',
  policy: 'finance',
  audience: ['role:finance'],
  digest: 'sha256:1',
});

// Promise U7
describe('an address in words of others', () => {
  test.each(tricks)('an address in words of others is text that no program makes a link of: %s', (trick) => {
    expect(linksIn(trick)).not.toEqual([]);
    for (const text of [trick, `See ${trick}.`, `(${trick})`, `${trick} ${trick}`]) {
      expect(linksLeftIn(inertText(text))).toEqual([]);
    }
  });

  test.each(tricks)(
    'an address in words of others leaves a message with one link, the one by Standfast, in whichever field it is: %s',
    (trick) => {
      const { subject, text } = noticeOf(values(trick), { show: shownFields });
      expect(linksLeftIn(subject)).toEqual([]);
      expect(text).toContain('https://hold.example/holds/h-1');
      expect(linksLeftIn(text.replace('https://hold.example/holds/h-1', ''))).toEqual([]);
    },
  );

  test('an address in words of others stays readable, and ordinary words, numbers and times stay as they are', () => {
    expect(inertText('https://bank.example@evil.example/x')).toBe('https[:]//bank[.]example[@]evil[.]example/x');
    const ordinary = 'Pay 4,210.50 EUR at 13:00, e.g. to Miller & Co. (version 1.2.3). Note: "yes".';
    expect(inertText(ordinary)).toBe(ordinary);
  });

  test('an address in words of others is found in no text whatever', () => {
    const piece = fc.oneof(
      fc.constantFrom(...tricks, '.', '@', '://', ':', ' ', 'www', 'com'),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => linksLeftIn(inertText(pieces.join(''))).length === 0),
    );
  });
});
