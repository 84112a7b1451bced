// What a requester wrote, on every surface that names or shows a question: never what it is called.
import { expect, test } from '@jest/globals';
import { csvColumns, holdRowViewOf } from '../../src/api/holds/hold-line.ts';
import { holdViewOf } from '../../src/api/holds/hold-view.ts';
import { timelineOf } from '../../src/api/tasks/task-timeline.ts';
import { aboutTextOf } from '../../src/cli/operate/operator-commands.ts';
import { formatDone } from '../../src/cli/operate/outcome-text.ts';
import { formatHold } from '../../src/cli/operate/show-text.ts';
import type { HoldView } from '../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../src/contract/views/inbox.ts';
import { digestMail, type Digest } from '../../src/core/questions/digest-text.ts';
import { mailNoticeOf, noticeOf, shownFields } from '../../src/core/questions/notice.ts';
import { noticePayload, noticeValues } from '../../src/core/questions/notice-values.ts';
import { shownQuestion, type ShownQuestion } from '../../src/core/questions/shown-question.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { pushDigest, pushLimits, pushMessage } from '../../src/surfaces/push/push-message.ts';
import { digestBlocks, fallbackText, questionBlocks } from '../../src/surfaces/slack/slack-blocks.ts';
import { digestCard, questionCard } from '../../src/surfaces/teams/teams-card.ts';
import { cardContent } from '../../src/wire/agui/cards/cards.ts';
import { interruptOf } from '../../src/wire/agui/cards/open-holds.ts';
import { objectWords } from '../../web/src/hold/words/people.ts';
import { taskTitle } from '../../web/src/hold/words/quoted.ts';
import { detailWords, endedDetailWords, headlineWords, spokenRest } from '../../web/src/hold/row/row-words.ts';
import { oneLine } from '../../web/src/base/text/visible.ts';
import { aHoldRow, aQuestion, aSuper, openedAt } from '../rigs/factories.ts';

const hostile = 'Already approved by the CFO, only a formality: 9000 EUR';

interface Shown {
  row: HoldRow;
  view: HoldView;
  line: HoldRowView;
  question: ShownQuestion;
  digest: Digest;
}

const call = { callId: 'c-1', name: 'pay', args: { amount: 90, to: 'Miller Ltd' }, isEditable: true };
const asked = {
  'a form under a title of its sort': aQuestion({
    kind: 'form',
    title: 'Approve an expense',
    defaults: { amount: 90 },
  }),
  'a form without values': aQuestion({ kind: 'form', title: 'Approve an expense' }),
  'a tool call': aQuestion({ kind: 'tool_call', title: 'Shall I send the money?', tool: call }),
  'a question without a title': aQuestion({ kind: 'confirmation', title: 'The agent asks', hasOwnTitle: false }),
};

function shownOf(question: HoldRow['question']): Shown {
  const row = aHoldRow({ question, agent: 'expenses', owner: 'bob' });
  const context = { request: hostile, now: '2026-01-01T00:00:00.000Z' };
  const shown = shownQuestion({ agents: {}, users: {} }, 'https://hold.example', row, pushLimits, {
    texts: [],
    now: '2026-01-01T00:00:00.000Z',
  });
  return {
    row,
    view: holdViewOf(row, aSuper, context),
    line: holdRowViewOf(row, aSuper, context),
    question: shown,
    digest: {
      at: openedAt,
      waiting: [shown],
      news: [{ question: shown, event: 'opened' }],
      link: 'https://hold.example',
    },
  };
}

const config = { agents: {}, users: {} };
const notice = ({ row }: Shown) => noticeValues(config, 'https://hold.example', row, { event: 'opened' } as never);
const source = { taskId: 't', a2aTaskId: null, contextId: null, publicUrl: 'https://h.example', mayDecide: () => true };
const rules = { show: [...shownFields], decide: true };

/** What a surface calls the question, and all that it says of it. */
const surfaces: Record<string, { names: (shown: Shown) => string[]; all: (shown: Shown) => unknown }> = {
  'its page': {
    names: ({ view }) => [
      oneLine(view.headline, 160),
      oneLine(view.title, 160),
      objectWords({ ...view, title: view.headline, hasOwnTitle: true }, oneLine),
    ],
    all: ({ view }) => ({ ...view, quotation: null }),
  },
  'its line, for eyes and ears': {
    names: ({ line }) => [headlineWords(line)],
    all: ({ line }) => [headlineWords(line), detailWords(line, null), spokenRest(line, '', null)],
  },
  'the history': {
    names: ({ line }) => [headlineWords(line)],
    all: ({ line }) => [headlineWords(line), endedDetailWords(line, null)],
  },
  'a spreadsheet': {
    names: ({ view }) => ['headline', 'title'].map((name) => csvColumns[name]?.(view) ?? ''),
    all: ({ view }) => Object.values(csvColumns).map((of) => of(view)),
  },
  'the list at a terminal': {
    names: ({ view }) => [aboutTextOf([view, { ...view, id: 'other' }], 120)(view)],
    all: ({ view }) => aboutTextOf([view], 80)(view),
  },
  'a terminal, whole': {
    names: ({ view }) => [
      formatHold(view)
        .split('\n')
        .find((line) => line.startsWith('headline:')) ?? '',
    ],
    all: ({ view }) => [formatHold(view), formatDone(view, 'x')],
  },
  'a mail': {
    names: (shown) => [noticeOf(notice(shown), { show: shownFields }).subject],
    all: (shown) => mailNoticeOf(notice(shown), { show: shownFields }),
  },
  'a digest mail': { names: () => [], all: ({ digest }) => digestMail(digest) },
  'a webhook': {
    names: () => [],
    all: (shown) =>
      noticePayload({ show: shownFields, format: 'standard' }, { id: 'i', source: 's' }, notice(shown), shown.row),
  },
  Slack: {
    names: ({ question }) => [fallbackText(question)],
    all: ({ question, digest }) => [questionBlocks(question), digestBlocks(digest)],
  },
  Teams: { names: () => [], all: ({ question, digest }) => [questionCard(question), digestCard(digest)] },
  push: {
    names: ({ question }) => [pushMessage(question, rules, { isQuiet: false, note: null }).title],
    all: ({ question, digest }) => [pushMessage(question, rules, { isQuiet: false, note: null }), pushDigest(digest)],
  },
  'an AG-UI interrupt and its card': {
    names: ({ row }) => [String(interruptOf(row, source)?.['message'])],
    all: ({ row }) => [interruptOf(row, source), cardContent(row, source)],
  },
  'the timeline of its task': {
    names: () => [],
    all: ({ row }) => timelineOf({ timeline: [], title: hostile } as never, [row], null),
  },
};

// Promise Y46
test.each(Object.entries(surfaces))(
  'the words of a requester are nothing that %s calls a question by, and elsewhere a quotation with their name',
  (_surface, { names, all }) => {
    for (const question of Object.values(asked)) {
      const shown = shownOf(question);
      for (const name of names(shown)) {
        expect(name).not.toMatch(/CFO|formality|9000/u);
        expect(name.trim()).not.toBe('');
      }
      const text = JSON.stringify(all(shown)).replaceAll(/\\n\s*/gu, ' ');
      expect(text.replaceAll(`bob: “${hostile}”`, '')).not.toMatch(/CFO|formality|9000/u);
    }
  },
);

// Promise Y46
test('the words of a requester are in quotation marks where they name a task', () => {
  expect(taskTitle({ title: hostile, quotation: { by: 'bob', words: hostile } }, 200)).toBe(`“${hostile}”`);
  expect(taskTitle({ title: 'Deploy 2.4?', quotation: null }, 200)).toBe('Deploy 2.4?');
});
