// The table of what each surface does: every cell is held by a test, and the limits are those that the surface declares.
import { describe, expect, test } from '@jest/globals';
import { noticeEvents } from '../../src/contract/configuration/notice-names.ts';
import { pushLimits } from '../../src/surfaces/push/push-message.ts';
import { teamsLimits } from '../../src/surfaces/teams/teams-card.ts';
import { createSlack } from '../../src/surfaces/slack/slack-surface.ts';
import { read } from '../source-tree.ts';
import { isTested } from './named-tests.ts';

const text = read('docs/notifications.md');
const columns = ['page', 'mail link', 'Slack', 'Teams', 'push', 'Teams, workflow', 'CLI', 'REST', 'MCP'] as const;
type Column = (typeof columns)[number];
/** What the table says, and the test that holds it. */
type Cell = readonly [says: string, test: string];

const isLinkOnly = '(%s) offers no buttons, leads to the real page, and decides nothing';
const slackPage = 'A question that Slack does not show whole is decided on its page only';
const card =
  'a workflow of Microsoft Teams gets an Adaptive Card whose words are no markup and whose one link is Standfast’s';
const cards = 'A workflow of Teams gets a card for each event, once, and the last one says how the question ended';
const asks = 'the MCP server offers ask_user and approve_tool_call, each with its words and its fields';
const slackEnds =
  'Messages of a question that was decided elsewhere, expired or was asked again say so and have no buttons';
const teamsReason = 'A refusal in Teams takes its reason along, and a form its values with their types';
const teamsPage = 'A question that Teams does not show whole is decided on its page only';
const teamsEnds =
  'Cards of a question that was decided elsewhere, expired or was asked again say so and have no buttons';
const pushed = 'A browser is subscribed in the settings, shows a question, and decides it after asking once more';
const pushWhole = 'A push offers to decide only where the channel allows it and shows the whole of a yes/no question';
const pushEnds = 'A pushed question that was decided elsewhere, expired or was asked again says so, quietly and once';
const pushDigest = 'A notification decides for who is signed in, with the digest that it showed';
const pushNobody = 'A notification decides nothing for strangers, for who may not, or of what it does not show whole';
const thread =
  'mails about one question are a thread that ends with what became of it, and say that replies are not read';
const leads = 'on the page';

const rows: Record<string, Record<Column, Cell>> = {
  decide: {
    page: ['yes', 'a yes/no question is approved, and the page says so only once it is recorded'],
    'mail link': [
      'yes or no',
      'a link whose button is pressed decides as the person it was sent to, with the digest it was sent with',
    ],
    Slack: ['yes or no, forms', 'a question in Slack is decided by a button there, and every message says by whom'],
    Teams: [
      'yes or no, forms',
      'A button in Teams decides for the user with that mail address, with the digest that was shown',
    ],
    push: ['yes or no', pushed],
    'Teams, workflow': [leads, card],
    CLI: ['yes', 'approved, filled in and rejected by flags, and the answer is what the schema asks for'],
    REST: ['yes', 'a decision is answered once the workflow has it, and shows in the next read'],
    MCP: ['asks only', asks],
  },
  'refuse with reason': {
    page: ['yes', 'a rejection takes two presses: the first asks for the reason, Esc stops, the reason goes along'],
    'mail link': [leads, 'a link whose button is pressed says no as an answer, not as a refusal to answer'],
    Slack: ['dialog', 'A dialog asks for the reason of a refusal, and its words go with the answer'],
    Teams: ['dialog', teamsReason],
    push: [leads, pushWhole],
    'Teams, workflow': [leads, card],
    CLI: ['yes', 'one question is declined with a reason, and its task is canceled with it'],
    REST: ['yes', 'a decision that cancels carries its reason'],
    MCP: ['asker gets it', 'a tool call over MCP that is rejected is not approved, and the agent learns why'],
  },
  'form fields': {
    page: ['all', 'a form shows what is wrong in a summary that leads to the fields, and is sent when it is right'],
    'mail link': [leads, isLinkOnly],
    Slack: ['up to ten simple ones', 'A form of simple fields is filled in a dialog and sent with its types'],
    Teams: ['up to ten simple ones', teamsReason],
    push: [leads, pushWhole],
    'Teams, workflow': [leads, card],
    CLI: ['all', 'an answer by flags fills fields in by the type that the schema gives them, nested ones too'],
    REST: [
      'all',
      'a decision is refused with payload_invalid (422) and each error by path, before the workflow gets it',
    ],
    MCP: ['asks only', 'ask_user shows a form for a schema, with what the agent proposes'],
  },
  'edit arguments': {
    page: ['yes', 'a tool call is edited, the change described in words, and sent with exactly that change'],
    'mail link': [leads, isLinkOnly],
    Slack: [leads, slackPage],
    Teams: [leads, teamsPage],
    push: [leads, pushWhole],
    'Teams, workflow': [leads, card],
    CLI: ['yes', 'approved, filled in and rejected by flags, and the answer is what the schema asks for'],
    REST: [
      'yes',
      'approve_tool_call approves with the arguments as they were shown, and with those edited where they may be',
    ],
    MCP: [
      'asker gets it',
      'approve_tool_call approves with the arguments as they were shown, and with those edited where they may be',
    ],
  },
  'decided elsewhere → updated': {
    page: ['live', 'who decides first is named, and what one had written stays to be copied'],
    'mail link': ['thread', thread],
    Slack: ['the message', slackEnds],
    Teams: ['the card', teamsEnds],
    push: ['the notification', pushEnds],
    'Teams, workflow': ['another card', cards],
    CLI: [
      '`watch`',
      'watch prints a line when a question opens and one when it ends, and goes on when the server was away',
    ],
    REST: ['refused, by whom', 'a decision too late names who ended it, when and why, and what came after'],
    MCP: ['reply', 'ask_user answers while it waits, as soon as somebody has decided'],
  },
  'expired → updated': {
    page: ['live', 'the clock locks the page at nought, and the policy says what it did'],
    'mail link': [
      'thread',
      'a question without an answer notifies those who are asked, again at a reminder, those a step adds, and all of them of its end',
    ],
    Slack: ['the message', slackEnds],
    Teams: ['the card', teamsEnds],
    push: ['the notification', pushEnds],
    'Teams, workflow': ['another card', cards],
    CLI: [
      '`watch`',
      'watch prints a line when a question opens and one when it ends, and goes on when the server was away',
    ],
    REST: [
      'refused',
      'a question without an answer refuses an answer that comes too late with interrupt_expired, by REST and by a run',
    ],
    MCP: ['reply', 'ask_user says how it ended when there is no answer: declined, expired, withdrawn'],
  },
  'digest sent': {
    page: ['yes', 'a question that changed is refused, shown with its change, and decided only after that was seen'],
    'mail link': [
      'that of the mail',
      'a link whose button is pressed decides as the person it was sent to, with the digest it was sent with',
    ],
    Slack: [
      'that of the message',
      'A button in Slack decides for the user with that mail address, with the digest that was shown',
    ],
    Teams: [
      'that of the card',
      'A button in Teams decides for the user with that mail address, with the digest that was shown',
    ],
    push: ['that of the notification', pushDigest],
    'Teams, workflow': ['–', card],
    CLI: [
      'at prompts',
      'a question at a terminal is asked field by field where no flag says how, and answered as it was shown',
    ],
    REST: ['if given', 'a decision on a question that is not the one shown is digest_mismatch'],
    MCP: ['–', asks],
  },
  'four eyes kept': {
    page: ['yes', 'who may only look sees who decides, and has no button to decide by'],
    'mail link': [
      'yes',
      'a link whose button is pressed passes on what the workflow refuses: four eyes, an earlier vote, a deadline',
    ],
    Slack: ['yes', 'The requester decides nothing in Slack under four eyes, and is notified why'],
    Teams: ['yes', 'The requester decides nothing in Teams under four eyes, and reads a card without buttons'],
    push: ['yes', pushNobody],
    'Teams, workflow': ['–', card],
    CLI: ['yes', 'a question that needs two leaves the requester out where four eyes are asked for'],
    REST: ['yes', 'a question that needs two leaves the requester out where four eyes are asked for'],
    MCP: ['yes', 'ask_user that asks its asker alone is refused, and nothing is kept'],
  },
  'not shown whole': {
    page: ['–', 'a call is approved only once its last argument was visible'],
    'mail link': ['leads to page', isLinkOnly],
    Slack: ['leads to page', slackPage],
    Teams: ['leads to page', teamsPage],
    push: ['leads to page', pushWhole],
    'Teams, workflow': ['leads to page', card],
    CLI: ['–', 'one question is shown whole by its id or interrupt id, its task too'],
    REST: ['–', 'a decision is answered once the workflow has it, and shows in the next read'],
    MCP: [
      '–',
      'ask_user refuses a schema that people could not be shown, one with a secret, and a call without a question',
    ],
  },
};

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Rows of the table whose second column has this name. */
function tableOf(second: string): string[][] {
  const lines = text.split('\n');
  const rest = lines.slice(lines.findIndex((line) => line.startsWith('|') && cellsOf(line)[1] === second));
  return rest.slice(0, rest.indexOf('')).map(cellsOf);
}

test('The table of events says of each when it is and who gets a mail', () => {
  const rowsOfEvents = tableOf('when').slice(2);
  expect(rowsOfEvents.map(([name = '']) => name).toSorted()).toEqual(
    noticeEvents.map((name) => `\`${name}\``).toSorted(),
  );
  expect(rowsOfEvents.filter((row) => row.length !== 3 || row.includes(''))).toEqual([]);
});

describe('the table of surfaces', () => {
  const [people, programs] = [tableOf('page'), tableOf('Teams, workflow')];
  const table = people.map((row, index) => [...row, ...(programs[index] ?? []).slice(1)]);

  test('the table of surfaces has the surfaces and abilities that are tested, with the same words', () => {
    expect(table[0]?.slice(1)).toEqual(columns);
    const written = Object.fromEntries(table.slice(2).map(([name = '', ...cells]) => [name, cells]));
    const tested = Object.entries(rows).map(([name, row]) => [name, columns.map((column) => row[column][0])]);
    expect(written).toEqual(Object.fromEntries(tested));
  });

  test('the table of surfaces has a test for each cell', () => {
    const missing = Object.entries(rows).flatMap(([name, row]) =>
      columns.flatMap((column) => (isTested(row[column][1]) ? [] : [`${name}, ${column}: ${row[column][1]}`])),
    );
    expect(missing).toEqual([]);
  });

  test('the table of surfaces says the limits that surfaces declare', () => {
    const { limits } = createSlack({ botToken: 'xoxb-1', apiUrl: 'https://slack.example/' }, fetch);
    expect(limits).toMatchObject({ fields: 10, message: 2_500, args: 2_500 });
    expect(teamsLimits).toMatchObject({ fields: 10, message: 2_500, args: 2_500 });
    expect(pushLimits).toMatchObject({ message: 240, args: 240 });
    expect(text).toMatch(/of at most 240\s+characters each/);
    expect(text).toContain('texts over 2,500 characters');
    expect(text).toContain('up to ten simple');
  });
});
