// One list of what waits for a person, in place of a message for each question: titles, and no contents.
import { utcTime } from '../base/utc-time.ts';
import { noticeKinds, type NoticeEvent } from '../../contract/configuration/notice-names.ts';
import type { MailPage, MailSection } from './mail-html.ts';
import { others, type MailNotice } from './notice.ts';
import type { ShownQuestion } from './shown-question.ts';

/** What one digest lists. */
export interface Digest {
  /** ISO time at which it is sent. */
  at: string;
  /** Open questions that the person is asked; the one that ends first is first. */
  waiting: ShownQuestion[];
  /** What else they are notified of, listed once. */
  news: { question: ShownQuestion; event: NoticeEvent }[];
  /** Address of the inbox. */
  link: string;
}

type MailRow = Extract<MailSection, { kind: 'list' }>['rows'][number];

const maxListed = 100;
const maxTitleChars = 120;

/** How many questions wait for the reader of a list. */
export const waitingWords = (count: number): string =>
  count === 0 ? 'Nothing waits for you' : `${count === 1 ? '1 question waits' : `${count} questions wait`} for you`;

/** Dated, since a list is not updated: it stays true. */
export function digestTitle({ waiting, news, at }: Pick<Digest, 'waiting' | 'news' | 'at'>): string {
  const count = waiting.length;
  if (count === 0) return `News of ${news.length === 1 ? 'a question' : `${news.length} questions`}, ${utcTime(at)}`;
  return `${waitingWords(count)}, ${utcTime(at)}`;
}

export function digestOrder(a: ShownQuestion, b: ShownQuestion): number {
  const [first, second] = [a.deadline ?? '9', b.deadline ?? '9'];
  return first === second ? 0 : first < second ? -1 : 1;
}

const untilWords = ({ deadline }: ShownQuestion): string =>
  deadline === null ? 'no deadline' : `until ${utcTime(deadline)}`;

const newsWords = ({ question: { end }, event }: Digest['news'][number]): string =>
  end === null ? noticeKinds[event].words : others(end, 500);

function waitingLine(question: ShownQuestion): string {
  const { title, agent, requester, link } = question;
  const names = `${others(agent, maxTitleChars)}, asked for ${others(requester, maxTitleChars)}`;
  return `- “${others(title, maxTitleChars)}” (${names}), ${untilWords(question)}\n  ${link}`;
}

function newsLine(news: Digest['news'][number]): string {
  const { title, link } = news.question;
  return `- “${others(title, maxTitleChars)}”: ${newsWords(news)}\n  ${link}`;
}

/** A section with its heading; none for an empty list. */
function section(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > maxListed ? [`- and ${lines.length - maxListed} more`] : [];
  return [[heading, ...lines.slice(0, maxListed), ...more].join('\n')];
}

/** The digest as a mail. */
export function digestMail(digest: Digest): MailNotice {
  const text = [
    ...section('Waits for you:', digest.waiting.map(waitingLine)),
    ...section('What became of others:', digest.news.map(newsLine)),
    `All of it, and how often you are notified (Settings):\n${digest.link}`,
  ];
  return { subject: digestTitle(digest), text: text.join('\n\n'), page: digestPage(digest) };
}

function digestPage(digest: Digest): MailPage {
  const listOf = (heading: string, rows: readonly MailRow[]): MailSection => ({ kind: 'list', heading, rows });
  const shown = <T>(all: readonly T[], rowOf: (one: T) => MailRow): MailRow[] => {
    const left = all.length - maxListed;
    const more = left <= 0 ? [] : [{ title: `${left} more`, link: digest.link, about: 'in Standfast' }];
    return [...all.slice(0, maxListed).map(rowOf), ...more];
  };
  return {
    title: digestTitle(digest),
    lead: '',
    sections: [
      listOf(
        'Waits for you',
        shown(digest.waiting, (one) => ({
          title: others(one.title, maxTitleChars),
          link: one.link,
          about: `${others(one.agent, maxTitleChars)}, asked for ${others(one.requester, maxTitleChars)}, ${untilWords(one)}`,
        })),
      ),
      listOf(
        'What became of others',
        shown(digest.news, (one) => ({
          title: others(one.question.title, maxTitleChars),
          link: one.question.link,
          about: newsWords(one),
        })),
      ),
    ],
    button: { label: 'Open Standfast', link: digest.link },
    other: null,
    foot: ['How often you are notified is in its Settings.'],
  };
}
