import { describe, expect, test } from '@jest/globals';
import { noticeOf, shownFields, unknownFields } from '../../../src/core/questions/notice.ts';
import type { NoticeValues } from '../../../src/core/questions/notice.ts';
import { fc } from '../../rigs/properties.ts';

const facts = (over: Partial<NoticeValues> = {}): NoticeValues => ({
  event: 'opened',
  title: 'Pay invoice 4,210 EUR?',
  agent: 'expenses',
  deadline: '2026-03-02T13:00:00.000Z',
  link: 'https://hold.example/holds/h-1',
  step: 'remind at 2026-03-02T10:00:00.000Z',
  message: 'canary-message',
  requester: 'canary-requester',
  toolArgs: { to: 'canary-args' },
  values: { secret: 'canary-values' },
  reason: 'canary-reason',
  ended: '',
  isAnswered: false,
  isRejected: false,
  ...over,
});

describe('the message about a question', () => {
  test('says title, agent, deadline and link', () => {
    const { subject, text } = noticeOf(facts(), { show: [] });
    expect(subject).toBe('Pay invoice 4,210 EUR? needs an answer (expenses)');
    expect(text).toContain('Until: 2026-03-02 13:00 UTC');
    expect(text).toContain('https://hold.example/holds/h-1');
  });

  test('says of one that is over whether somebody answered it', () => {
    const over = { event: 'decided' as const, ended: 'It is withdrawn.' };
    expect(noticeOf(facts(over), { show: [] }).subject).toContain('needs no answer any more');
    expect(noticeOf(facts({ ...over, isAnswered: true }), { show: [] }).subject).toContain('was decided');
    const rejected = facts({ ...over, isAnswered: true, isRejected: true });
    expect(noticeOf(rejected, { show: [] }).subject).toContain('was rejected');
  });

  test('lets nothing else out unless its channel allows it', () => {
    const silent = JSON.stringify(noticeOf(facts(), { show: [] }));
    expect(silent).not.toContain('canary');
    for (const field of shownFields) {
      const shown = JSON.stringify(noticeOf(facts(), { show: [field] }));
      expect(shown.match(/canary-\w+/g)).toHaveLength(1);
    }
  });

  test('lets a template name only what the channel allows', () => {
    expect(unknownFields('{{title}} {{ message }} {{nothing}}', [])).toEqual(['message', 'nothing']);
    expect(unknownFields('{{title}} {{ message }}', ['message'])).toEqual([]);
    const notice = noticeOf(facts(), { show: [], template: { text: '{{agent}}: {{message}}' } });
    expect(notice.text).toBe('expenses: {{message}}');
  });

  test('takes a title that resembles a template for what it is: text', () => {
    const { text } = noticeOf(facts({ title: '{{message}} {{link}}' }), { show: [] });
    expect(text).toContain('“{{message}} {{link}}”');
    expect(text).not.toContain('canary');
  });

  test('keeps its subject on one line and short, whatever the title is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (title) => {
        const { subject } = noticeOf(facts({ title: `${title}\r\nBcc: all@example.org` }), { show: [] });
        expect(subject).not.toMatch(/[\r\n\u202e\u2066]/u);
        expect(Array.from(subject).length).toBeLessThanOrEqual(300);
      }),
    );
  });
});
