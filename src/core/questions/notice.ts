// What a message about a hold says. Title, agent, deadline and link always; anything else only where the channel allows it.
import { inertText } from './inert-text.ts';
import type { NoticeEvent } from '../../contract/config.ts';
import type { JsonObject } from '../../contract/json.ts';

export const noticeFields = ['title', 'agent', 'deadline', 'link', 'event', 'step'] as const;
export const shownFields = ['message', 'requester', 'toolArgs', 'values', 'reason'] as const;
type Field = (typeof noticeFields)[number] | (typeof shownFields)[number];

/** Everything that could be said about one event of one hold. */
export interface NoticeValues {
  event: NoticeEvent;
  title: string;
  agent: string;
  /** ISO, or null: it waits for ever. */
  deadline: string | null;
  link: string;
  /** What comes next, in words. */
  step: string;
  message: string;
  requester: string;
  toolArgs: JsonObject;
  values: JsonObject;
  reason: string | null;
  /** How it ended, in words; empty while it is open. */
  ended: string;
  /** Somebody answered; else the agent took it back, or its task was cancelled. */
  isAnswered: boolean;
  /** The answer was a no. */
  isRejected: boolean;
}

export interface NoticeTemplate {
  subject?: string | undefined;
  text?: string | undefined;
}

export interface Notice {
  subject: string;
  text: string;
}

const maxFieldChars = 500;
const maxTitleChars = 120;
const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Names in a template that it may not use; the configuration is refused for them. */
export function unknownFields(template: string, show: readonly string[]): string[] {
  const known: string[] = [...noticeFields, 'ended', ...show];
  return [...template.matchAll(placeholder)].map(([, name = '']) => name).filter((name) => !known.includes(name));
}

/** Words that others chose, an agent or whoever answers: nothing in them is a link where they are read. */
const others = (text: string, maxChars: number): string => inertText(line(text, maxChars));

/** One line, without control and bidi characters, cut: an agent's words must not look like ours nor break a header. */
function line(text: string, maxChars: number): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim();
  const chars = Array.from(clean);
  return chars.length <= maxChars ? clean : `${chars.slice(0, maxChars - 1).join('')}…`;
}

const words: Record<NoticeValues['event'], string> = {
  opened: 'needs an answer',
  reminder: 'still waits for an answer',
  escalation: 'now waits for you',
  reassigned: 'was passed on and waits for an answer',
  'reassign-asked': 'should be passed on: somebody asks for it',
  mentioned: 'was commented on, and you are named',
  decided: 'was decided',
  expired: 'expired',
};

function deadlineWords(deadline: string | null): string {
  if (deadline === null) return 'no deadline';
  return `${deadline.slice(0, 16).replace('T', ' ')} UTC`;
}

function valueOf(values: NoticeValues, field: Field | 'ended'): string {
  switch (field) {
    case 'title':
      return others(values.title, maxTitleChars);
    case 'deadline':
      return deadlineWords(values.deadline);
    case 'link':
      return values.link;
    case 'event':
      if (values.event !== 'decided') return words[values.event];
      if (values.isRejected) return 'was rejected';
      return values.isAnswered ? words.decided : 'needs no answer any more';
    case 'toolArgs':
    case 'values':
      return others(JSON.stringify(values[field]), maxFieldChars);
    case 'reason':
      return others(values.reason ?? '', maxFieldChars);
    case 'message':
    case 'requester':
      return others(values[field], maxFieldChars);
    default:
      return line(values[field], maxFieldChars);
  }
}

function fill(template: string, values: NoticeValues, show: readonly string[]): string {
  const unknown = new Set(unknownFields(template, show));
  return template.replace(placeholder, (whole, name: string) =>
    unknown.has(name) ? whole : valueOf(values, name as Field),
  );
}

const labels: Record<(typeof shownFields)[number], string> = {
  message: 'The agent says',
  requester: 'Asked for',
  toolArgs: 'Arguments',
  values: 'Answer',
  reason: 'Reason',
};

function defaultText(values: NoticeValues, show: readonly string[]): string {
  const isOpen = values.ended === '';
  const lines = [
    `“{{title}}” {{event}}.`,
    '',
    'Agent: {{agent}}',
    ...(isOpen ? ['Until: {{deadline}}'] : ['{{ended}}']),
    ...shownFields
      .filter((field) => show.includes(field) && valueOf(values, field) !== '' && valueOf(values, field) !== '{}')
      .map((field) => `${labels[field]}: {{${field}}}`),
    '',
    '{{link}}',
  ];
  return lines.join('\n');
}

/** The message of one event for one channel; never throws, a template's unknown names stay as they are. */
export function noticeOf(
  values: NoticeValues,
  channel: { show: readonly string[]; template?: NoticeTemplate | undefined },
): Notice {
  const { show, template } = channel;
  return {
    subject: line(fill(template?.subject ?? '{{title}} {{event}} ({{agent}})', values, show), 300),
    text: fill(template?.text ?? defaultText(values, show), values, show),
  };
}
