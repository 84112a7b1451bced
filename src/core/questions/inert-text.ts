// Defuses text by others for mail and Slack, whose programs turn anything like an address into a link.
import { visible } from '../base/visible.ts';

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

/** The same text, all of it seen, in which no program finds an address: `https[:]//bank[.]example[@]evil[.]example`. */
export function inertText(text: string): string {
  return visible(text)
    .replace(schemeColon, '[:]')
    .replace(bareScheme, '$1[:]')
    .replace(dots, (whole, before: string, dot: string, after: string) =>
      isOrdinary(before, after) ? whole : `${before}[${dot}]`,
    )
    .replace(/(?<=\S)@(?=\S)/gu, '[@]');
}
