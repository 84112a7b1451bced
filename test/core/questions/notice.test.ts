import { describe, expect, test } from '@jest/globals';
import { mailNoticeOf, noticeOf, shownFields, unknownFields } from '../../../src/core/questions/notice.ts';
import type { NoticeValues } from '../../../src/core/questions/notice.ts';
import { fc } from '../../rigs/properties.ts';

const valuesOf = (over: Partial<NoticeValues> = {}): NoticeValues => ({
  event: 'opened',
  title: 'Pay invoice 4,210 EUR?',
  agent: 'expenses',
  stages: '',
  deadline: '2026-03-02T13:00:00.000Z',
  link: 'https://hold.example/holds/h-1',
  step: 'remind at 2026-03-02 10:00 UTC',
  message: 'canary-message',
  requester: 'Olga',
  toolArgs: { to: 'canary-args' },
  values: { secret: 'canary-values' },
  reason: 'canary-reason',
  outcome: null,
  stated: '',
  end: null,
  ended: '',
  by: '',
  at: '',
  task: 'task-1',
  policy: 'finance',
  audience: ['role:finance'],
  digest: 'sha256:1',
  ...over,
});

describe('the message about a question', () => {
  // Promise Q19
  test('the message about a question says title, agent, deadline and link', () => {
    const { subject, text } = noticeOf(valuesOf(), { show: [] });
    expect(subject).toBe('Pay invoice 4,210 EUR? (expenses)');
    expect(text).toContain('“Pay invoice 4,210 EUR?” needs an answer.');
    expect(text).toContain('Until: 2026-03-02 13:00 UTC');
    expect(text).toContain('https://hold.example/holds/h-1');
  });

  // Promise QU1
  test('the message about a question says of one that is over whether somebody answered it', () => {
    const text = (end: NoticeValues['end']): string =>
      noticeOf(
        valuesOf({ event: 'decided', outcome: 'approved', end, ended: 'Approved by Fay, 2026-03-02 10:00 UTC' }),
        {
          show: [],
        },
      ).text;
    expect(text('withdrawn')).toContain('needs no answer any more');
    expect(text('approved')).toContain('was approved');
    expect(text('rejected')).toContain('was rejected');
    expect(text('answered')).toContain('was answered');
    expect(text('declined')).toContain('was declined');
  });

  test('the message about a question says what the agent states of it next to its message, marked as its word, and only where that is shown', () => {
    const stated = 'In expenses’s own words, which nothing has checked:\nRisk: high';
    const shown = (show: string[], message = 'm'): string => noticeOf(valuesOf({ stated, message }), { show }).text;
    expect(shown(['message'])).toContain(
      'The agent says: m\nIn expenses’s own words, which nothing has checked: Risk: high',
    );
    expect(shown([])).not.toContain('Risk');
    expect(unknownFields('{{stated}}', ['message'])).toEqual([]);
    expect(unknownFields('{{stated}}', [])).toEqual(['stated']);
  });

  test('the message about a question says how it ended, by whom and when, for whom it was asked, and in which task', () => {
    const ended = 'Approved by Fay, 2026-03-02 10:00 UTC';
    const over = valuesOf({ event: 'decided', outcome: 'approved', ended, by: 'Fay', at: '2026-03-02T10:00:00.000Z' });
    const { text } = noticeOf(over, { show: [] });
    for (const words of [`${ended}.`, 'Asked for: Olga', 'Agent: expenses', 'Task: task-1'])
      expect(text).toContain(words);
    expect(noticeOf(valuesOf(), { show: [] }).text).toContain('Next: remind at');
    const template = { text: '{{outcome}} {{by}} {{at}} {{task}} {{policy}} {{audience}} {{digest}} {{requester}}' };
    const filled = 'approved Fay 2026-03-02 10:00 UTC task-1 finance role:finance sha256:1 Olga';
    expect(noticeOf(over, { show: [], template }).text).toBe(filled);
  });

  // Promise Q19
  test('the message about a question lets nothing else out unless its channel allows it', () => {
    const silent = JSON.stringify(mailNoticeOf(valuesOf(), { show: [] }));
    expect(silent).not.toContain('canary');
    for (const field of shownFields) {
      const { page, ...words } = mailNoticeOf(valuesOf(), { show: [field] });
      for (const part of [page, words]) expect(JSON.stringify(part).match(/canary-\w+/g)).toHaveLength(1);
    }
  });

  test('the message about a question lets a template name only what the channel allows', () => {
    expect(unknownFields('{{title}} {{ message }} {{nothing}}', [])).toEqual(['message', 'nothing']);
    expect(unknownFields('{{title}} {{ message }}', ['message'])).toEqual([]);
    const notice = noticeOf(valuesOf(), { show: [], template: { text: '{{agent}}: {{message}}' } });
    expect(notice.text).toBe('expenses: {{message}}');
  });

  test('the message about a question takes a title that resembles a template for what it is: text', () => {
    const { text } = noticeOf(valuesOf({ title: '{{message}} {{link}}' }), { show: [] });
    expect(text).toContain('“{{message}} {{link}}”');
    expect(text).not.toContain('canary');
  });

  test('the message about a question keeps its subject on one line and short, whatever the title is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (title) => {
        const { subject } = noticeOf(valuesOf({ title: `${title}\r\nBcc: all@example.org` }), { show: [] });
        expect(subject).not.toMatch(/[\r\n\u202e\u2066]/u);
        expect(Array.from(subject).length).toBeLessThanOrEqual(300);
      }),
    );
  });
});
