// What an agent states of its question, and wrote before it, where people can decide it without the question's own page.
import { expect, test } from '@jest/globals';
import type { ShownQuestion } from '../../src/core/questions/shown-question.ts';
import { decidesByPush, pushMessage } from '../../src/surfaces/push/push-message.ts';
import { questionBlocks } from '../../src/surfaces/slack/slack-blocks.ts';
import { questionCard } from '../../src/surfaces/teams/teams-card.ts';

const stated = 'In Refunds’s own words, which nothing has checked:\nRisk: high';
const asked = (change: Partial<ShownQuestion> = {}): ShownQuestion => ({
  holdId: 'h-1',
  digest: 'sha256:1',
  title: 'Refund 310 EUR?',
  message: '',
  texts: [],
  args: null,
  tool: null,
  stated,
  agent: 'Refunds',
  requester: 'bob',
  stages: '',
  deadline: null,
  link: 'https://hold.example/holds/h-1',
  offer: { kind: 'yes-no', takesReason: false },
  end: null,
  ...change,
});

test('what an agent states is shown in Slack and Teams as its own words, and not where only the title is', () => {
  for (const draw of [questionBlocks, (question: ShownQuestion) => questionCard(question)]) {
    expect(JSON.stringify(draw(asked()))).toContain('Risk: high');
    expect(JSON.stringify(draw(asked({ offer: { kind: 'page' } })))).not.toContain('Risk: high');
    expect(JSON.stringify(draw(asked({ stated: null })))).not.toContain('own words');
  }
});

test('what an agent states is shown by push where the channel shows messages; otherwise, or too long for it, there are no buttons', () => {
  const rules = { show: ['message'], decide: true };
  const options = { isQuiet: false, note: null };
  expect(pushMessage(asked(), rules, options)).toMatchObject({ decides: true, body: expect.stringContaining(stated) });
  expect(pushMessage(asked(), { ...rules, show: [] }, options).body).not.toContain('Risk');
  expect(decidesByPush(asked(), { ...rules, show: [] })).toBe(false);
  expect(decidesByPush(asked({ stated: 'x'.repeat(241) }), rules)).toBe(false);
  expect(decidesByPush(asked({ stated: null }), { ...rules, show: [] })).toBe(true);
});

// Promise U4
test('what an agent wrote before it asked is shown in Slack and Teams, and by push only where all of it fits', () => {
  const texts = [{ name: 'Bill', text: 'The bill is due.' }];
  for (const draw of [questionBlocks, (question: ShownQuestion) => questionCard(question)]) {
    const shown = JSON.stringify(draw(asked({ texts })));
    expect(shown).toContain('Refunds wrote before it asked (Bill):');
    expect(shown).toContain('The bill is due.');
    expect(JSON.stringify(draw(asked({ texts, offer: { kind: 'page' } })))).not.toContain('due');
  }
  const rules = { show: ['message'], decide: true };
  const pushed = (change: Partial<ShownQuestion>) =>
    pushMessage(asked({ stated: null, ...change }), rules, { isQuiet: false, note: null });
  expect(pushed({ texts })).toMatchObject({ decides: true, body: expect.stringContaining('The bill is due.') });
  expect(pushed({ texts: [{ name: '', text: 'x'.repeat(230) }] }).decides).toBe(false);
  expect(decidesByPush(asked({ stated: null, texts }), { ...rules, show: [] })).toBe(false);
});
