// One list of what waits for a person, in place of a message for each question: titles, and no contents.
import { utcTime } from '../base/utc-time.ts';
import { noticeKinds, type NoticeEvent } from '../../contract/configuration/notice-names.ts';
import { others, type Notice } from './notice.ts';
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

const maxListed = 100;
const maxTitleChars = 120;

/** Dated, since a list is not updated: it stays true. */
export function digestTitle({ waiting, news, at }: Pick<Digest, 'waiting' | 'news' | 'at'>): string {
  const count = waiting.length;
  if (count === 0) return `News of ${news.length === 1 ? 'a question' : `${news.length} questions`}, ${utcTime(at)}`;
  return `${count === 1 ? '1 question waits' : `${count} questions wait`} for you, ${utcTime(at)}`;
}

export function digestOrder(a: ShownQuestion, b: ShownQuestion): number {
  const [first, second] = [a.deadline ?? '9', b.deadline ?? '9'];
  return first === second ? 0 : first < second ? -1 : 1;
}

function waitingLine({ title, agent, requester, deadline, link }: ShownQuestion): string {
  const until = deadline === null ? 'no deadline' : `until ${utcTime(deadline)}`;
  const names = `${others(agent, maxTitleChars)}, asked for ${others(requester, maxTitleChars)}`;
  return `- “${others(title, maxTitleChars)}” (${names}), ${until}\n  ${link}`;
}

function newsLine({ question: { title, end, link }, event }: Digest['news'][number]): string {
  const words = end === null ? noticeKinds[event].words : others(end, 500);
  return `- “${others(title, maxTitleChars)}”: ${words}\n  ${link}`;
}

/** A section with its heading; none for an empty list. */
function section(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > maxListed ? [`- and ${lines.length - maxListed} more`] : [];
  return [[heading, ...lines.slice(0, maxListed), ...more].join('\n')];
}

/** The digest as a mail. */
export function digestMail(digest: Digest): Notice {
  const text = [
    ...section('Waits for you:', digest.waiting.map(waitingLine)),
    ...section('What became of others:', digest.news.map(newsLine)),
    `All of it, and how often you are notified (Settings):\n${digest.link}`,
  ];
  return { subject: digestTitle(digest), text: text.join('\n\n') };
}
