import type { Question } from '../../../contract/holds/question.ts';
import type { Json } from '../../../contract/base/json.ts';
import { cutText } from './clean.ts';

const maxLinks = 10;
const maxUrlChars = 4096;

/** A web address that may be shown as a link, or null. Never fetched by us, so only what a click would do matters. */
export function readLink(address: Json | undefined, title: Json | undefined): Question['links'][number] | null {
  if (typeof address !== 'string' || address.length > maxUrlChars || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  // `https://bank.example@evil.example/` reads as the bank's address.
  if (url.username !== '' || url.password !== '' || url.href.length > maxUrlChars) return null;
  const given = typeof title === 'string' ? title.replace(/\s+/gu, ' ').trim() : '';
  // Whatever the agent calls it, people see where it leads.
  return { url: url.href, title: given === '' ? url.host : `${cutText(given, 200)} (${url.host})` };
}

/** Each address once, at most ten. */
export function distinctLinks(links: readonly (Question['links'][number] | null)[]): Question['links'] {
  const byUrl = new Map<string, Question['links'][number]>();
  for (const link of links) if (link !== null && !byUrl.has(link.url)) byUrl.set(link.url, link);
  return [...byUrl.values()].slice(0, maxLinks);
}
