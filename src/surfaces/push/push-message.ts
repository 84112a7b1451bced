// What a push notification says: the title, and more only where the channel shows it.
import type { HoldId } from '../../contract/base/id-types.ts';
import { visible } from '../../core/base/visible.ts';
import { utcTime } from '../../core/base/utc-time.ts';
import { digestTitle, type Digest } from '../../core/questions/digest-text.ts';
import { type ShownQuestion, writtenText } from '../../core/questions/shown-question.ts';
import type { SurfaceLimits } from '../../core/questions/surface-question.ts';

/** What phones show of a notification that is opened; longer words are cut by some of them. */
export const pushLimits: SurfaceLimits = {
  title: 100,
  message: 240,
  args: 240,
  texts: 240,
  fields: 0,
  choices: 0,
};

const maxListed = 5;

/** What the channel allows. */
export interface PushRules {
  show: readonly string[];
  decide: boolean;
}

/** The service worker reads this (web/src/app/service-worker.js). */
export interface PushMessage {
  holdId: HoldId;
  digest: string;
  title: string;
  body: string;
  url: string;
  /** Whether it has buttons for yes and no. */
  decides: boolean;
  /** Replaces what was shown, and makes no sound. */
  isQuiet: boolean;
}

const cut = (text: string, max: number): string => {
  const chars = Array.from(text);
  return chars.length <= max ? text : `${chars.slice(0, max - 1).join('')}…`;
};
const clean = (text: string): string => visible(text).trim();

/** What the agent wrote before its question, and states of it. */
const otherWords = ({ agent, texts, stated }: ShownQuestion): string[] => [
  ...texts.map((one) => writtenText(agent, one)),
  ...(stated === null ? [] : [stated]),
];

const callWords = ({ tool, args }: ShownQuestion): string =>
  `${tool ?? 'tool'} ${(args ?? []).map(({ name, value }) => `${name}: ${value}`).join(', ')}`;

/** Whether a notification shows all of a yes/no question, so that it may be decided there. */
export function decidesByPush(question: ShownQuestion, { show, decide }: PushRules): boolean {
  const { offer, title, message, args, end } = question;
  if (!decide || end !== null || offer.kind !== 'yes-no') return false;
  const others = otherWords(question);
  const calls = args === null ? [] : [callWords(question)];
  // As they are written, characters that are not drawn written out.
  const isCut = (words: string): boolean => clean(words).length > pushLimits.message;
  if (clean(title).length > pushLimits.title || [message, ...others, ...calls].some(isCut)) return false;
  const hasWords = message.trim() !== '' || others.length > 0;
  return (!hasWords || show.includes('message')) && (args === null || show.includes('toolArgs'));
}

export function pushMessage(
  question: ShownQuestion,
  rules: PushRules,
  { isQuiet, note }: { isQuiet: boolean; note: string | null },
): PushMessage {
  const { holdId, digest, title, message, args, agent, deadline, end, link } = question;
  const until = deadline === null ? '' : ` · until ${utcTime(deadline)}`;
  const words = rules.show.includes('message') ? [message, ...otherWords(question)] : [];
  const call = rules.show.includes('toolArgs') && args !== null ? [callWords(question)] : [];
  const body = end === null ? [note ?? '', ...words, ...call, `${agent}${until}`] : [end, agent];
  return {
    holdId,
    digest,
    title: cut(clean(title).replaceAll('\n', ' '), pushLimits.title),
    body: body
      .map((line) => cut(clean(line), pushLimits.message + 40))
      .filter((line) => line !== '')
      .join('\n'),
    url: link,
    decides: decidesByPush(question, rules),
    isQuiet,
  };
}

/** Titles alone, whatever the channel shows; a later list takes its place. */
export function pushDigest(digest: Digest): PushMessage {
  const titles = digest.waiting.map(({ title }) => cut(clean(title).replaceAll('\n', ' '), 60));
  const shown = titles.slice(0, maxListed);
  return {
    holdId: 'digest',
    digest: '',
    title: digestTitle(digest),
    body: [...shown, ...(titles.length > shown.length ? [`and ${titles.length - shown.length} more`] : [])].join('\n'),
    url: digest.link,
    decides: false,
    isQuiet: false,
  };
}
