import { describe, expect, test } from '@jest/globals';
import { digestMail, waitingWords } from '../../../src/core/questions/digest-text.ts';
import { mailHtml, mailHtmlOf, type MailPage } from '../../../src/core/questions/mail-html.ts';
import { mailNoticeOf, noticeOf, type NoticeValues } from '../../../src/core/questions/notice.ts';
import type { ShownQuestion } from '../../../src/core/questions/shown-question.ts';
import { fc } from '../../rigs/properties.ts';

const link = 'https://hold.example/holds/h-1';
const pageWith = (text: string): MailPage => ({
  title: text,
  lead: text,
  sections: [
    { kind: 'facts', heading: text, facts: [{ name: text, value: text }] },
    { kind: 'words', heading: text, text },
    { kind: 'list', heading: text, rows: [{ title: text, link, about: text }] },
  ],
  button: { label: text, link },
  other: { label: text, link },
  foot: [text],
});

/** The tags of a document, with their attributes: what is not of the frame is of somebody else. */
const tagsOf = (html: string): string[] => html.match(/<[^>]*>/g) ?? [];
/** What is allowed to differ: text that is empty has no heading, and a value of several lines is set as code. */
const frames = new Map(['', 'x', 'x\nx'].map((text) => [text, tagsOf(mailHtml(pageWith(text)))]));

const frameOf = (text: string): string[] | undefined =>
  frames.get(text === '' ? '' : text.includes('\n') ? 'x\nx' : 'x');

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><style>*{display:none}</style>',
  '</td></tr></table><a href="https://evil.example">Approve</a>',
  '<!-- ',
  ']]>',
  '&lt;b&gt;',
  '\u0000<b>',
  '`onload=1`',
];
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(...hostile),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '/', '!', '-', '=', 'a', ' ', '`', ';', '\n'))
    .map((list) => list.join('')),
);

describe('the HTML part of a mail', () => {
  // Promise QF2
  test('the HTML part of a mail has the tags of its frame alone, whatever is written into it', () => {
    fc.assert(fc.property(words, (text) => expect(tagsOf(mailHtml(pageWith(text)))).toEqual(frameOf(text))));
  });

  test('the HTML part of a mail loads nothing, runs nothing, and leads to our pages alone', () => {
    const html = mailHtml({ ...pageWith('x'), button: { label: 'Open', link: 'javascript:alert(1)' } });
    expect(html).not.toMatch(/<img|<script|<link|<iframe|<form|url\(|@import|javascript:/i);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to);
    expect(new Set(links)).toEqual(new Set([link, '#']));
  });

  test('the HTML part of a mail has colours for the dark, and says that it has', () => {
    const html = mailHtml(pageWith('x'));
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
  });
});

const values: NoticeValues = {
  event: 'opened',
  title: 'Pay?',
  agent: 'expenses',
  stages: '',
  deadline: null,
  link,
  step: '',
  message: 'Please look',
  requester: 'Olga',
  toolArgs: { amount: 4210, supplier: { name: 'Miller' } },
  values: {},
  reason: null,
  outcome: null,
  stated: '',
  end: null,
  ended: '',
  by: '',
  at: '',
  task: 'task-1',
  policy: 'finance',
  audience: [],
  digest: 'sha256:1',
};
const htmlOf = (over: Partial<NoticeValues>, show: string[], decideLink: string | null = null): string =>
  mailHtmlOf(mailNoticeOf({ ...values, ...over }, { show }).page, decideLink) ?? '';

describe('a mail about a question', () => {
  test('a mail about a question shows arguments as rows in both parts, and none where its channel does not', () => {
    const { text } = noticeOf(values, { show: ['toolArgs'] });
    expect(text).toContain('Arguments:\n- amount: 4210\n- supplier › name: Miller');
    expect(htmlOf({}, ['toolArgs'])).toMatch(/supplier › name<\/bdi>.*Miller/);
    expect(htmlOf({}, [])).not.toContain('4210');
    expect(htmlOf({}, [])).not.toContain('Please look');
  });

  test('a mail about a question has one button: its page, or the link that decides, with the page below', () => {
    expect(htmlOf({}, []).match(/class="button"/g)).toHaveLength(1);
    expect(htmlOf({}, [])).toMatch(/class="button" href="https:\/\/hold\.example\/holds\/h-1"/);
    const decides = htmlOf({}, [], 'https://hold.example/decide/t');
    expect(decides.match(/class="button" href="([^"]*)"/)?.[1]).toBe('https://hold.example/decide/t');
    expect(decides).toContain(`<a class="link" href="${link}"`);
  });

  test('a mail about a question whose words are a template’s has its text alone', () => {
    const { page } = mailNoticeOf(values, { show: [], template: { text: '{{title}}' } });
    expect(mailHtmlOf(page, null)).toBeNull();
  });

  test('a mail about a question makes no link of what others wrote, in its HTML part neither', () => {
    const html = htmlOf({ title: 'See https://evil.example', message: 'evil.example' }, ['message']);
    expect(html.match(/href="[^"]*evil/)).toBeNull();
    expect(html).not.toContain('https://evil.example');
    expect(html).not.toContain('>evil.example<');
  });
});

test('the list of a person has the same titles in both parts, each leading to its question', () => {
  const waiting = ['Pay <b>?', 'Book?'].map(
    (title, index) =>
      ({ title, agent: 'expenses', requester: 'Olga', deadline: null, link: `${link}${index}` }) as ShownQuestion,
  );
  const { text, page } = digestMail({ at: '2026-03-02T13:00:00.000Z', waiting, news: [], link });
  const html = mailHtmlOf(page, null) ?? '';
  expect(text).toContain('“Book?”');
  expect(html).toContain(`href="${link}1" style="color:#1557b0;font-weight:600"><bdi>Book?</bdi>`);
  expect(html).toContain('Pay &#60;b&#62;?');
});

test('a list says in good English how many questions wait', () => {
  expect([0, 1, 2].map(waitingWords)).toEqual([
    'Nothing waits for you',
    '1 question waits for you',
    '2 questions wait for you',
  ]);
});
