// Questions as Block Kit draws them. Words of agents and people are plain text, in which Slack makes no link or mention.
import { utcTime } from '../../core/base/utc-time.ts';
import { visible } from '../../core/base/visible.ts';
import { type ArgField, argLines } from '../../core/questions/arg-fields.ts';
import { digestTitle, type Digest } from '../../core/questions/digest-text.ts';
import type { SurfaceField } from '../../core/questions/surface-question.ts';
import { inertText } from '../../core/questions/inert-text.ts';
import { type ShownQuestion, writtenText } from '../../core/questions/shown-question.ts';

/** A block or element; Slack's own types name hundreds of members that are not sent. */
export type Block = { type: string } & Record<string, unknown>;

export const maxTextChars = 3_000;

const plain = (text: string): Block => ({ type: 'plain_text', text: text === '' ? ' ' : text, emoji: false });
const section = (text: string): Block => ({ type: 'section', text: plain(text) });
/** Words of others, in as many blocks as they need once no program finds an address in them. */
function sections(words: string): Block[] {
  const text = inertText(words);
  const parts = text.length <= maxTextChars ? [text] : (text.match(/.{1,1500}/gsu) ?? []);
  return parts.map(section);
}
const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`);

/** A value of this many characters at most has its name next to it; others are below theirs. */
const shortChars = 200;
/** Slack takes ten texts in a section, and fifty blocks in a message. */
const pairsAtMost = 5;
const fieldsAtMost = 100;

const isShort = ({ name, value }: ArgField): boolean =>
  !value.includes('\n') && Math.max(inertText(name).length, inertText(value).length) <= shortChars;

/** Rows of name and value, in the order of the call; what is long or of several lines has the whole width. */
function argBlocks(tool: string, args: readonly ArgField[]): Block[] {
  if (args.length > fieldsAtMost) return sections(`${tool}\n${argLines(args)}`);
  const blocks: Block[] = [...sections(tool)];
  let pairs: Block[] = [];
  const flush = (): void => {
    if (pairs.length > 0) blocks.push({ type: 'section', fields: pairs });
    pairs = [];
  };
  for (const field of args) {
    if (isShort(field)) {
      pairs.push(plain(inertText(field.name)), plain(inertText(field.value)));
      if (pairs.length === 2 * pairsAtMost) flush();
    } else {
      flush();
      blocks.push(...sections(`${field.name}:`), ...sections(field.value));
    }
  }
  flush();
  return blocks;
}

/** What a button carries: the question, and the digest of what was shown. */
const buttonValue = ({ holdId, digest }: Pick<ShownQuestion, 'holdId' | 'digest'>): string =>
  JSON.stringify({ h: holdId, d: digest });

function button(question: ShownQuestion, action: string, label: string, style?: 'primary' | 'danger'): Block {
  const value = buttonValue(question);
  return { type: 'button', action_id: action, text: plain(label), value, ...(style && { style }) };
}

const linkButton = ({ link }: ShownQuestion): Block => ({
  type: 'button',
  action_id: 'open',
  text: plain('Open in Standfast'),
  url: link,
});

function actionsOf(question: ShownQuestion): Block[] {
  const { offer } = question;
  if (offer.kind === 'page') return [linkButton(question)];
  if (offer.kind === 'form') return [button(question, 'form', 'Answer', 'primary'), linkButton(question)];
  return [
    button(question, 'yes', 'Approve', 'primary'),
    button(question, 'no', 'Reject', 'danger'),
    ...(offer.takesReason ? [button(question, 'reason', 'Reject with a reason')] : []),
    linkButton(question),
  ];
}

const deadlineText = (deadline: string | null): string =>
  deadline === null ? 'no deadline' : `until ${utcTime(deadline)}`;

/** The blocks of a message; what has ended keeps its words and has no buttons. */
export function questionBlocks(question: ShownQuestion): Block[] {
  const { title, message, texts, args, tool, stated, agent, requester, stages, deadline, end, offer } = question;
  const shown = offer.kind !== 'page';
  const seenTitle = visible(title);
  const asked = stages === '' ? '' : ` · ${stages}`;
  const context = `${agent} · asked for ${requester}${asked} · ${end === null ? deadlineText(deadline) : 'ended'}`;
  return [
    { type: 'header', text: plain(cut(seenTitle, 150)) },
    ...(seenTitle.length > 150 && shown ? sections(title) : []),
    ...(shown ? texts.flatMap((one) => sections(writtenText(agent, one))) : []),
    ...(shown && message.trim() !== '' ? sections(message) : []),
    ...(shown && args !== null ? argBlocks(tool ?? 'tool', args) : []),
    ...(shown && stated !== null ? sections(stated) : []),
    { type: 'context', elements: [plain(cut(inertText(context), 2000))] },
    ...(end === null ? [] : [section(inertText(end))]),
    ...(end === null && !shown ? [section('Read all of it, and decide, on its own page.')] : []),
    { type: 'actions', block_id: 'decide', elements: end === null ? actionsOf(question) : [linkButton(question)] },
  ];
}

/** The text of notifications, and of programs that draw no blocks. */
export const fallbackText = ({ title, agent, end }: ShownQuestion): string =>
  inertText(cut(`${title} (${agent})${end === null ? '' : `: ${end}`}`, 300));

const modal = (question: ShownQuestion, callbackId: string, title: string, blocks: Block[]): Block => ({
  type: 'modal',
  callback_id: callbackId,
  private_metadata: buttonValue(question),
  title: plain(title),
  submit: plain('Send'),
  close: plain('Cancel'),
  blocks,
});

export const reasonModal = (question: ShownQuestion): Block =>
  modal(question, 'reason', 'Reject', [
    section(inertText(question.title)),
    {
      type: 'input',
      block_id: 'reason',
      label: plain('Reason'),
      element: { type: 'plain_text_input', action_id: 'value', multiline: true, max_length: 2000 },
    },
  ]);

export function formModal(question: ShownQuestion, fields: readonly SurfaceField[]): Block {
  const words = [section(inertText(question.title)), ...sections(question.message)];
  return modal(question, 'form', 'Answer', [...words, ...fields.map(inputOf)]);
}

const option = (value: string, text = value): Block => ({ text: plain(text), value }) as unknown as Block;

function inputOf(field: SurfaceField): Block {
  const { name, label, isRequired, kind } = field;
  const isOptional = !isRequired || kind === 'boolean';
  return {
    type: 'input',
    block_id: `field:${name}`,
    optional: isOptional,
    label: plain(label),
    element: elementOf(field),
  };
}

function elementOf({ kind, choices, value }: SurfaceField): Block {
  if (kind === 'boolean') {
    const yes = option('true', 'Yes');
    return {
      type: 'checkboxes',
      action_id: 'value',
      options: [yes],
      ...(value === 'true' && { initial_options: [yes] }),
    };
  }
  if (kind === 'choice') {
    const initial = value !== null && choices.includes(value) ? { initial_option: option(value) } : {};
    return { type: 'static_select', action_id: 'value', options: choices.map((one) => option(one)), ...initial };
  }
  return {
    type: 'plain_text_input',
    action_id: 'value',
    max_length: maxTextChars,
    ...(value !== null && { initial_value: value }),
  };
}

/** What waits for one person, as a list for `/standfast` and the home tab. */
export function listBlocks(questions: readonly ShownQuestion[], hasMore: boolean): Block[] {
  if (questions.length === 0) return [section('Nothing waits for you.')];
  const rows = questions.map((question): Block => ({
    ...section(inertText(`${cut(question.title, 200)}\n${question.agent} · ${deadlineText(question.deadline)}`)),
    accessory: { ...linkButton(question), action_id: 'open' },
  }));
  return [...rows, ...(hasMore ? [section('More waits for you in Standfast.')] : [])];
}

/** Slack takes at most fifty blocks. */
const maxListed = 40;

export const digestBlocks = (digest: Digest): Block[] => [
  { type: 'header', text: plain(digestTitle(digest)) },
  ...listBlocks(digest.waiting.slice(0, maxListed), digest.waiting.length > maxListed),
];

export const textBlocks = (text: string): Block[] => [section(cut(text, maxTextChars))];
