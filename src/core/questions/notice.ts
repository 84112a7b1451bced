// The text of a message about a hold: title, agent, deadline and link; anything else only if the channel allows it.
import type { NoticeEvent } from '../../contract/configuration/config.ts';
import type { JsonObject } from '../../contract/base/json.ts';

const noticeFields = ['title', 'agent', 'deadline', 'link', 'event', 'step'] as const;
export const shownFields = ['message', 'requester', 'toolArgs', 'values', 'reason'] as const;
type Field = (typeof noticeFields)[number] | (typeof shownFields)[number];

/** Everything that could be written about one event of one hold. */
export interface NoticeValues {
  event: NoticeEvent;
  title: string;
  agent: string;
  /** ISO; null: no deadline. */
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
  /** True when somebody answered; false when the agent withdrew it, or its task was cancelled. */
  isAnswered: boolean;
  /** The answer was a no. */
  isRejected: boolean;
}

interface NoticeTemplate {
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

/** Fields with text by agents or people, in which no mail program may find a link. */
const others = (text: string, maxChars: number): string => inertText(line(text, maxChars));

/** One line, without control and bidi characters, cut: an agent's text must not pass for Holdpoint's nor break a header. */
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

// Defuses text by others for mail and Slack, whose programs turn anything like an address into a link.

/** Characters that any program accepts in a host name: more than registries allow. */
const label = String.raw`[^\s.。．｡,;:!?"'()<>[\]{}/\\|@=&#%*\x60~^$+]+`;
const dots = new RegExp(`(${label})([.。．｡])(?=(${label}))`, 'gu');
/** Also inside a word or number: programs find `https://` anywhere. */
const schemeColon = /:(?=[/\\]{2})/gu;
/** Schemes that need no slashes. */
const bareScheme =
  /(?<![a-z])(https?|ftp|mailto|tel|sms|javascript|vbscript|data|file|callto|skype|xmpp|sips?|slack|tg|geo|magnet|blob|cid|mid):(?=\S)/giu;

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const isLetter = (text: string): boolean => Array.from(text).length === 1;

/** The dot of a number or an abbreviation (3.5, e.g.) is not part of an address. */
const isOrdinary = (before: string, after: string): boolean =>
  (isNumber(before) && isNumber(after)) || (isLetter(before) && isLetter(after));

/** The same text, readable, in which no program finds an address: `https[:]//bank[.]example[@]evil[.]example`. */
export function inertText(text: string): string {
  return text
    .replace(schemeColon, '[:]')
    .replace(bareScheme, '$1[:]')
    .replace(dots, (whole, before: string, dot: string, after: string) =>
      isOrdinary(before, after) ? whole : `${before}[${dot}]`,
    )
    .replace(/(?<=\S)@(?=\S)/gu, '[@]');
}
