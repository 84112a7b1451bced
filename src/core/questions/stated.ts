// What an asker says of its question beyond it, by one reading for agents and programs: how risky it calls it, its
// reasoning, links, and by when it needs the answer.
import type { Question } from '../../contract/holds/question.ts';
import type { Json } from '../../contract/base/json.ts';
import { cutText, paragraphs } from '../base/text.ts';
import { durationMs } from '../policy/duration.ts';

const maxRiskChars = 100;

/** The question with these words, where there are any. */
export function withWords(
  question: Question,
  { risk: named, reasoning: reasons }: Record<'risk' | 'reasoning', string>,
): Question {
  const line = named.replace(/\s+/gu, ' ').trim();
  const isLong = line.length > maxRiskChars;
  const risk = isLong ? `${cutText(line, maxRiskChars - 1)}…` : line;
  // The reasoning is kept and shown whole, however long it is.
  const reasoning = isLong ? paragraphs([`Risk: ${named}`, reasons]) : reasons.trim();
  if (risk === '' && reasoning === '') return question;
  return {
    ...question,
    stated: { ...(risk === '' ? {} : { risk }), ...(reasoning === '' ? {} : { reasoning }) },
  };
}

/** A time that is a mistake in any case: it cannot be answered in. */
const leastMs = 1_000;

/** The question with its own deadline; null: the text is no duration, or too short to answer in. */
export function withExpiry(question: Question, expireAfter: string): Question | null {
  try {
    return durationMs(expireAfter) < leastMs ? null : { ...question, expireAfter };
  } catch {
    return null;
  }
}

const maxUrlChars = 4096;

/**
 * A URL that is safe to show as a link; null for other schemes, URLs with credentials, and URLs that are too long.
 * Standfast never fetches it.
 */
export function readLink(address: Json | undefined, title: Json | undefined): Question['links'][number] | null {
  if (typeof address !== 'string' || address.length > maxUrlChars || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  // `https://bank.example@evil.example/` reads as the bank's address.
  if (url.username !== '' || url.password !== '' || url.href.length > maxUrlChars) return null;
  const given = typeof title === 'string' ? title.replace(/\s+/gu, ' ').trim() : '';
  // The host is always shown, because the agent's title may be misleading.
  return { url: url.href, title: given === '' ? url.host : `${cutText(given, 200)} (${url.host})` };
}

/** Distinct links by URL. */
export function distinctLinks(links: readonly (Question['links'][number] | null)[]): Question['links'] {
  const byUrl = new Map<string, Question['links'][number]>();
  for (const link of links) if (link !== null && !byUrl.has(link.url)) byUrl.set(link.url, link);
  return [...byUrl.values()];
}
