// Which addresses of an agent only people open. A GET can grant a permission, confirm an order or use up a one-time link,
// so nothing is requested that the agent does not call a file.
import type { Question } from '../../contract/holds/question.ts';

/** Pages and lists of addresses: what a person opens, whatever the agent calls it. */
const pageTypes = new Set(['text/html', 'application/xhtml+xml', 'text/uri-list', 'text/x-uri', 'text/x-url']);
const fileType = /^(?:application|audio|font|image|model|text|video)\/[a-z0-9][\w!#$&^.+-]*$/;

/** True for a media type (`type/subtype`, parameters allowed) that names a file: no page, no wildcard, not empty. */
export function isFileType(mediaType: string): boolean {
  const name = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return fileType.test(name) && !pageTypes.has(name);
}

/** A test of addresses: only people open any while a permission is asked for, else the links of the questions. */
export function testForPeople(
  state: 'input-required' | 'auth-required',
  asked: readonly Pick<Question, 'links'>[],
): (uri: string) => boolean {
  const links = new Set(asked.flatMap((question) => question.links.map(({ url }) => withoutFragment(url))));
  return (uri) => state === 'auth-required' || links.has(withoutFragment(uri));
}

/** As it is requested: the fragment stays with the browser. */
function withoutFragment(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.hash = '';
  return url.href;
}
