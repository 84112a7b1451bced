// Characters that are not drawn, in what an agent asks on surfaces that show a part of it, or let it be answered.
import { expect, test } from '@jest/globals';
import type { Question } from '../../src/contract/holds/question.ts';
import { shownQuestion, type ShownQuestion } from '../../src/core/questions/shown-question.ts';
import type { SurfaceLimits } from '../../src/core/questions/surface-question.ts';
import { pushLimits, pushMessage } from '../../src/surfaces/push/push-message.ts';
import { questionBlocks } from '../../src/surfaces/slack/slack-blocks.ts';
import { teamsLimits } from '../../src/surfaces/teams/teams-card.ts';
import { aHoldRow, aQuestion } from '../rigs/factories.ts';
import { fc, runs } from '../rigs/properties.ts';

const now = '2026-01-01T00:00:00.000Z';
const shown = (question: Partial<Question>, limits: SurfaceLimits): ShownQuestion =>
  shownQuestion(
    { agents: {}, users: {} },
    'https://hold.example',
    aHoldRow({ question: aQuestion(question) }),
    limits,
    {
      texts: [],
      now,
    },
  );
const yesNo: Partial<Question> = {
  kind: 'confirmation',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
  defaults: {},
};
const notDrawn = '\u200B';

// Promise Y46a
test('a push message has buttons only if nothing of its question is cut, whatever is not drawn in it', () => {
  const rules = { show: ['message', 'toolArgs'], decide: true };
  const words = fc
    .tuple(fc.nat(120), fc.nat(120))
    .map(([hidden, seen]) => `${notDrawn.repeat(hidden)}${'x'.repeat(seen)}!`);
  expect(pushMessage(shown({ ...yesNo, title: 'Pay?', message: 'Now?' }, pushLimits), rules, noNote).decides).toBe(
    true,
  );
  fc.assert(
    fc.property(words, words, (title, message) => {
      const { decides, ...push } = pushMessage(shown({ ...yesNo, title, message }, pushLimits), rules, noNote);
      const isWhole = push.title.endsWith('!') && push.body.split('\n').some((line) => line.endsWith('!'));
      expect(!decides || isWhole).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});
const noNote = { isQuiet: false, note: null };

// Promise Y46a
test('the title of a message in Slack has each character that is not drawn written out, and all of a long one', () => {
  const short = JSON.stringify(questionBlocks(shown({ ...yesNo, title: `pay${notDrawn}` }, teamsLimits)));
  expect(short).toContain('pay[U+200B]');
  const long = `${notDrawn.repeat(30)} at last`;
  const blocks = questionBlocks(shown({ ...yesNo, title: long }, { ...teamsLimits, title: 300 }));
  expect(JSON.stringify(blocks)).toContain('at last');
  expect(JSON.stringify(blocks)).not.toContain(notDrawn);
});

// Promise Y46a
test.each([
  ['a label', { type: 'string', title: `to${notDrawn}` }, {}],
  ['a choice', { type: 'string', enum: ['Miller', `Miller${notDrawn}`] }, {}],
  ['a proposed value', { type: 'string' }, { to: `Miller${notDrawn}` }],
])('a form with a character that is not drawn in %s is answered on its page', (_, to, defaults) => {
  const form = (property: object, given: object): Partial<Question> =>
    ({
      kind: 'form',
      schema: { type: 'object', properties: { to: property } },
      defaults: given,
    }) as Partial<Question>;
  expect(shown(form({ type: 'string' }, {}), teamsLimits).offer.kind).toBe('form');
  expect(shown(form(to, defaults), teamsLimits).offer.kind).toBe('page');
});
