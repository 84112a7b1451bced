// The text of a message about a hold: title, agent, deadline and link; anything else only if the channel allows it.
import { isAnswerName } from '../answers/end-name.ts';
import { utcTime } from '../base/utc-time.ts';
import { visible } from '../base/visible.ts';
import { noticeKinds, type NoticeEvent } from '../../contract/configuration/notice-names.ts';
import type { EndName } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { type ArgField, argFields } from './arg-fields.ts';
import { inertText } from './inert-text.ts';
import type { MailPage, MailSection } from './mail-html.ts';

const noticeFields = [
  'title',
  'agent',
  'requester',
  'deadline',
  'link',
  'event',
  'step',
  'outcome',
  'ended',
  'by',
  'at',
  'task',
  'policy',
  'audience',
  'stages',
  'digest',
] as const;
/** The contents of a question and its answer, which leave Standfast only where the channel allows it. */
export const shownFields = ['message', 'toolArgs', 'values', 'reason'] as const;
type Field = (typeof noticeFields)[number] | (typeof shownFields)[number] | 'stated';

/** How a question ended; `provided`: answered, where an answer decides nothing. */
export type NoticeOutcome = 'approved' | 'rejected' | 'answered' | 'expired' | 'superseded' | 'withdrawn' | 'cancelled';

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
  /** What the agent says of the question beyond it; empty: nothing. */
  stated: string;
  requester: string;
  toolArgs: JsonObject;
  values: JsonObject;
  reason: string | null;
  /** Null: it is open. */
  outcome: NoticeOutcome | null;
  /** The same, as people call it. */
  end: EndName | null;
  /** How it ended, by whom, when and what then, in words; empty while it is open. */
  ended: string;
  /** Who ended it, or while it is open who caused this event; empty: no person did. */
  by: string;
  /** ISO time of the end; empty: it is open. */
  at: string;
  /** Task id. */
  task: string;
  policy: string;
  audience: string[];
  /** Which groups must agree, and who of them has; empty: there is one. */
  stages: string;
  digest: string;
}

interface NoticeTemplate {
  subject?: string | undefined;
  text?: string | undefined;
}

export interface Notice {
  subject: string;
  text: string;
}

export interface MailNotice extends Notice {
  /** For its HTML part; null: its words are a template's, and it has none. */
  page: MailPage | null;
}

interface NoticeFormat {
  show: readonly string[];
  template?: NoticeTemplate | undefined;
}

const maxFieldChars = 500;
const maxTitleChars = 120;
const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Names in a template that it may not use; the configuration is refused for them. */
export function unknownFields(template: string, show: readonly string[]): string[] {
  // What the agent says of its question goes where its question goes.
  const known: string[] = [...noticeFields, ...show, ...(show.includes('message') ? ['stated'] : [])];
  return [...template.matchAll(placeholder)].map(([, name = '']) => name).filter((name) => !known.includes(name));
}

/** Fields with text by agents or people, in which no mail program may find a link. */
export const others = (text: string, maxChars: number): string => inertText(line(text, maxChars));

/** One line of visible characters, cut: an agent's text must not pass for Standfast's nor break a header. */
function line(text: string, maxChars: number): string {
  const clean = visible(text.replaceAll(/(?:[^\S\uFEFF]|\p{Cc})+/gu, ' ')).trim();
  const chars = Array.from(clean);
  return chars.length <= maxChars ? clean : `${chars.slice(0, maxChars - 1).join('')}…`;
}

function deadlineWords(deadline: string | null): string {
  return deadline === null ? 'no deadline' : utcTime(deadline);
}

const decidedWords = (end: EndName | null): string => (isAnswerName(end) ? `was ${end}` : 'needs no answer any more');

function valueOf(values: NoticeValues, field: Field): string {
  switch (field) {
    case 'title':
      return others(values.title, maxTitleChars);
    case 'deadline':
      return deadlineWords(values.deadline);
    case 'link':
      return values.link;
    case 'event':
      return values.event === 'decided' ? decidedWords(values.end) : noticeKinds[values.event].words;
    case 'at':
      return values.at === '' ? '' : deadlineWords(values.at);
    case 'audience':
      return others(values.audience.join(', '), maxFieldChars);
    case 'toolArgs':
    case 'values':
      return others(JSON.stringify(values[field]), maxFieldChars);
    case 'reason':
    case 'outcome':
      return others(values[field] ?? '', maxFieldChars);
    case 'message':
    case 'stated':
    case 'requester':
    case 'by':
    case 'ended':
    case 'stages':
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
  toolArgs: 'Arguments',
  values: 'Answer',
  reason: 'Reason',
};

/** What is known of every question, as rows. */
function aboutOf(values: NoticeValues): ArgField[] {
  const say = (field: Field): string => valueOf(values, field);
  const isOpen = values.outcome === null;
  return [
    { name: 'Agent', value: say('agent') },
    { name: 'Asked for', value: say('requester') },
    ...(isOpen ? [{ name: 'Until', value: say('deadline') }] : []),
    ...(isOpen && values.step !== '' ? [{ name: 'Next', value: say('step') }] : []),
    ...(values.stages === '' ? [] : [{ name: 'Stages', value: say('stages') }]),
  ];
}

function defaultText(values: NoticeValues, show: readonly string[]): string {
  const isOpen = values.outcome === null;
  const say = (field: Field): string => valueOf(values, field);
  const lines = [
    `“${say('title')}” ${say('event')}.`,
    '',
    ...(isOpen ? [] : [`${say('ended')}.`]),
    ...aboutOf(values).map(({ name, value }) => `${name}: ${value}`),
    `Task: ${say('task')}`,
    ...shownFields
      .filter((field) => isShown(values, field, show))
      .flatMap((field) => [
        ...(field === 'toolArgs' || field === 'values'
          ? [`${labels[field]}:`, ...factsOf(values[field]).map(({ name, value }) => `- ${name}: ${value}`)]
          : [`${labels[field]}: ${say(field)}`]),
        ...(field === 'message' && values.stated !== '' ? [say('stated')] : []),
      ]),
    '',
    say('link'),
  ];
  return lines.join('\n');
}

const isShown = (values: NoticeValues, field: (typeof shownFields)[number], show: readonly string[]): boolean =>
  show.includes(field) && valueOf(values, field) !== '' && valueOf(values, field) !== '{}';

const factsAtMost = 40;

/** Arguments or an answer, a row each, as anything by others is written. */
function factsOf(content: JsonObject): ArgField[] {
  const all = argFields(content).map(({ name, value }) => ({
    name: others(name, maxTitleChars),
    value: others(value, maxFieldChars),
  }));
  const left = all.length - factsAtMost;
  return left <= 0 ? all : [...all.slice(0, factsAtMost), { name: '…', value: `${left} more in Standfast` }];
}

/** What a mail draws: the same facts as its text, in the same words. */
function pageOf(values: NoticeValues, show: readonly string[]): MailPage {
  const say = (field: Field): string => valueOf(values, field);
  const isOpen = values.outcome === null;
  const facts = [
    ...aboutOf(values),
    ...(isShown(values, 'reason', show) ? [{ name: labels.reason, value: say('reason') }] : []),
  ];
  const words = (heading: string, text: string): MailSection => ({ kind: 'words', heading, text });
  return {
    title: say('title'),
    lead: isOpen ? `This question ${say('event')}.` : `${say('ended')}.`,
    sections: [
      ...(isShown(values, 'message', show) ? [words(labels.message, say('message'))] : []),
      ...(show.includes('message') && values.stated !== '' ? [words('', say('stated'))] : []),
      ...(['toolArgs', 'values'] as const)
        .filter((field) => isShown(values, field, show))
        .map((field): MailSection => ({ kind: 'facts', heading: labels[field], facts: factsOf(values[field]) })),
      { kind: 'facts', heading: '', facts },
    ],
    button: { label: 'Open in Standfast', link: values.link },
    other: null,
    foot: [`Task ${say('task')}`],
  };
}

/** The message of one event for one channel; never throws, a template's unknown names stay as they are. */
export function noticeOf(values: NoticeValues, { show, template }: NoticeFormat): Notice {
  return {
    subject: line(fill(template?.subject ?? '{{title}} ({{agent}})', values, show), 300),
    text: template?.text === undefined ? defaultText(values, show) : fill(template.text, values, show),
  };
}

export function mailNoticeOf(values: NoticeValues, format: NoticeFormat): MailNotice {
  const page = format.template?.text === undefined ? pageOf(values, format.show) : null;
  return { ...noticeOf(values, format), page };
}
