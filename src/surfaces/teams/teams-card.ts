// Questions as Adaptive Cards. Words of agents and people are runs of text, in which Teams reads no Markdown.
import { utcTime } from '../../core/base/utc-time.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { ArgField } from '../../core/questions/arg-fields.ts';
import { digestTitle, type Digest } from '../../core/questions/digest-text.ts';
import { inertText } from '../../core/questions/inert-text.ts';
import { type ShownQuestion, writtenText } from '../../core/questions/shown-question.ts';
import type { SurfaceField, SurfaceLimits } from '../../core/questions/surface-question.ts';

/** Teams refuses cards of more than 28 KB; the message around one takes some of it. */
const maxCardBytes = 26 * 1024;

export const teamsLimits: SurfaceLimits = {
  title: 300,
  message: 2_500,
  args: 2_500,
  texts: 2_500,
  fields: 10,
  choices: 100,
};

export type Card = JsonObject;

const text = (words: string, more: JsonObject = {}): JsonObject => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: inertText(words), ...more }],
});

const lines = (words: string, more: JsonObject = {}): JsonObject[] =>
  words.split('\n').map((line) => text(line === '' ? ' ' : line, more));

/** Rows of name and value in two columns: a set of facts would read Markdown in them. */
const argRows = (tool: string, args: readonly ArgField[]): JsonObject[] => [
  text(tool, { weight: 'bolder' }),
  ...args.map(({ name, value }): JsonObject => {
    const isCode = value.includes('\n');
    return {
      type: 'ColumnSet',
      spacing: 'small',
      columns: [
        { type: 'Column', width: 1, items: [text(name, { isSubtle: true })] },
        { type: 'Column', width: 2, items: lines(value, isCode ? { fontType: 'monospace' } : {}) },
      ],
    };
  }),
];

/** What a button carries: the question, and the digest of what was shown. */
const dataOf = ({ holdId, digest }: Pick<ShownQuestion, 'holdId' | 'digest'>): JsonObject => ({ h: holdId, d: digest });

const execute = (question: ShownQuestion, verb: string, title: string, style = 'default'): JsonObject => ({
  type: 'Action.Execute',
  verb,
  title,
  style,
  data: dataOf(question),
});

const openAction = ({ link }: ShownQuestion): JsonObject => ({
  type: 'Action.OpenUrl',
  title: 'Open in Standfast',
  url: link,
});

const dialog = (title: string, body: JsonObject[], action: JsonObject): JsonObject => ({
  type: 'Action.ShowCard',
  title,
  card: { type: 'AdaptiveCard', body, actions: [action] },
});

function actionsOf(question: ShownQuestion): JsonObject[] {
  const { offer } = question;
  if (offer.kind === 'page') return [];
  if (offer.kind === 'form')
    return [dialog('Answer', offer.fields.map(inputOf), execute(question, 'form', 'Send', 'positive'))];
  const reason: JsonObject = {
    type: 'Input.Text',
    id: 'reason',
    label: 'Reason',
    isMultiline: true,
    isRequired: true,
    errorMessage: 'Say why.',
    maxLength: 2_000,
  };
  return [
    execute(question, 'yes', 'Approve', 'positive'),
    execute(question, 'no', 'Reject', 'destructive'),
    ...(offer.takesReason
      ? [dialog('Reject with a reason', [reason], execute(question, 'reason', 'Reject', 'destructive'))]
      : []),
  ];
}

function inputOf({ name, label, isRequired, kind, choices, value }: SurfaceField): JsonObject {
  const base = {
    id: `field:${name}`,
    label: inertText(label),
    isRequired: isRequired && kind !== 'boolean',
    errorMessage: 'This is needed.',
    ...(value !== null && { value }),
  };
  if (kind === 'boolean') return { ...base, type: 'Input.Toggle', title: 'Yes', valueOn: 'true', valueOff: 'false' };
  if (kind === 'choice')
    return { ...base, type: 'Input.ChoiceSet', choices: choices.map((one) => ({ title: one, value: one })) };
  return { ...base, type: 'Input.Text', maxLength: 3_000 };
}

const deadlineText = (deadline: string | null): string =>
  deadline === null ? 'no deadline' : `until ${utcTime(deadline)}`;

interface Reading {
  /** Whether this reader may decide; false: they see the question without buttons. */
  mayDecide: boolean;
  /** Shown to this reader alone; null: nothing. */
  note: string | null;
}

/** The card as one reader sees it; what has ended keeps its words and has no buttons. One that Teams would refuse leads to the page. */
export function questionCard(question: ShownQuestion, reading: Reading = { mayDecide: true, note: null }): Card {
  const whole = cardOf(question, reading);
  const isTooLarge = Buffer.byteLength(JSON.stringify(whole)) > maxCardBytes;
  return isTooLarge ? cardOf({ ...question, offer: { kind: 'page' } }, reading) : whole;
}

function cardOf(question: ShownQuestion, { mayDecide, note }: Reading): Card {
  const { title, message, texts, args, tool, stated, agent, requester, stages, deadline, end, offer } = question;
  const shown = offer.kind !== 'page';
  const asked = stages === '' ? '' : ` · ${stages}`;
  const context = `${agent} · asked for ${requester}${asked} · ${end === null ? deadlineText(deadline) : 'ended'}`;
  const decides = end === null && mayDecide;
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    // Each reader gets it as it is now, and as they may use it. Without userIds: an empty list refreshes for none.
    refresh: { action: execute(question, 'refresh', 'Refresh') },
    body: [
      text(title, { weight: 'bolder', size: 'large' }),
      ...(shown ? texts.flatMap((one) => lines(writtenText(agent, one))) : []),
      ...(shown && message.trim() !== '' ? lines(message) : []),
      ...(shown && args !== null ? argRows(tool ?? 'tool', args) : []),
      ...(shown && stated !== null ? lines(stated, { italic: true }) : []),
      text(context, { isSubtle: true }),
      ...(end === null ? [] : [text(end, { weight: 'bolder' })]),
      ...(decides && !shown ? [text('Read all of it, and decide, on its own page.')] : []),
      ...(note === null ? [] : [text(note, { weight: 'bolder' })]),
    ],
    actions: [...(decides ? actionsOf(question) : []), openAction(question)],
  };
}

/** What waits for one person. */
export function listCard(questions: readonly ShownQuestion[], hasMore: boolean): Card {
  const rows = questions.map((question): JsonObject => ({
    type: 'Container',
    items: [text(`${question.title.slice(0, 200)}\n${question.agent} · ${deadlineText(question.deadline)}`)],
    selectAction: openAction(question),
  }));
  const none = [text('Nothing waits for you.')];
  const more = hasMore ? [text('More waits for you in Standfast.')] : [];
  return { type: 'AdaptiveCard', version: '1.4', body: rows.length === 0 ? none : [...rows, ...more] };
}

/** So that a list is no larger. */
const maxListed = 40;

export function digestCard(digest: Digest): Card {
  const { body, ...card } = listCard(digest.waiting.slice(0, maxListed), digest.waiting.length > maxListed);
  const title = text(digestTitle(digest), { weight: 'bolder', size: 'large' });
  return { ...card, body: [title, ...(Array.isArray(body) ? body : [])] };
}

/** A message with a card. */
export const cardActivity = (card: Card): JsonObject => ({
  type: 'message',
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
});
