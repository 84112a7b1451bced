// The arguments of a call in messages: rows of name and value, all of them, and nothing that a vendor's program reads as markup.
import { expect, test } from '@jest/globals';
import { argFields } from '../../src/core/questions/arg-fields.ts';
import type { ShownQuestion } from '../../src/core/questions/shown-question.ts';
import { decidesByPush, pushMessage } from '../../src/surfaces/push/push-message.ts';
import { type Block, questionBlocks } from '../../src/surfaces/slack/slack-blocks.ts';
import { questionCard } from '../../src/surfaces/teams/teams-card.ts';
import { fc } from '../rigs/properties.ts';

const asked = (args: Record<string, never> | object): ShownQuestion => ({
  holdId: 'h-1',
  digest: 'sha256:1',
  title: 'Refund?',
  message: '',
  texts: [],
  args: argFields(JSON.parse(JSON.stringify(args))),
  tool: 'refund',
  stated: null,
  agent: 'Refunds',
  requester: 'bob',
  stages: '',
  deadline: null,
  link: 'https://hold.example/holds/h-1',
  offer: { kind: 'yes-no', takesReason: false },
  end: null,
});

// Promise QF1
test('the arguments of a call are rows of name and value in Slack, and what is long is below its name', () => {
  const sql = 'DELETE FROM customers\nWHERE id = 1';
  const blocks = questionBlocks(asked({ amount: 4210, to: 'Miller', sql, dry: false }));
  const fields = blocks.flatMap(({ fields: pairs = [] }) => (pairs as { text: string }[]).map(({ text }) => text));
  expect(fields).toEqual(['amount', '4210', 'to', 'Miller', 'dry', 'false']);
  const texts = blocks.map(({ text }) => (text as { text: string } | undefined)?.text);
  expect(texts.slice(texts.indexOf('sql:'), texts.indexOf('sql:') + 2)).toEqual(['sql:', sql]);
  expect(JSON.stringify(blocks)).not.toContain('{\\"amount');
});

// Promise QF1
test('the arguments of a call are rows of two columns in Teams, without a set of facts, which would read Markdown', () => {
  const card = JSON.stringify(questionCard(asked({ amount: 4210, note: '**bold** [x](y)' })));
  expect(card.match(/"ColumnSet"/g)).toHaveLength(2);
  expect(card).not.toContain('FactSet');
  expect(card).not.toContain('"type":"TextBlock"');
});

test('the arguments of a call stay within what Slack takes, in plain text, however many they are', () => {
  const args = fc.dictionary(fc.string({ maxLength: 30 }), fc.oneof(fc.string({ maxLength: 300 }), fc.integer()), {
    maxKeys: 120,
  });
  const textsOf = (block: Block): { type: string; text: string }[] =>
    [block['text'], ...((block['fields'] as object[] | undefined) ?? [])].filter((one) => one !== undefined) as never;
  fc.assert(
    fc.property(args, (dict) => {
      fc.pre(JSON.stringify(dict).length <= 2_500);
      const blocks = questionBlocks(asked(dict));
      expect(blocks.length).toBeLessThanOrEqual(50);
      for (const { type, text } of blocks.flatMap(textsOf)) {
        expect(type).toBe('plain_text');
        expect(text.length).toBeLessThanOrEqual(3_000);
        expect(text.length).toBeGreaterThan(0);
      }
    }),
  );
});

test('the arguments of a call are all in a push that decides: what would be cut decides nothing', () => {
  const rules = { show: ['toolArgs'], decide: true };
  const short = asked({ amount: 4210 });
  expect(pushMessage(short, rules, { isQuiet: false, note: null }).body).toContain('refund amount: 4210');
  expect(decidesByPush(short, rules)).toBe(true);
  const deep = asked({ invoice_of_the_supplier: Object.fromEntries(Array.from('abcdefghij', (name) => [name, 1])) });
  expect(decidesByPush(deep, rules)).toBe(false);
});
