// An agent's words on their way into mail and Slack, whose programs make a link of whatever looks like one.

/** What a name in an address may be made of, for any program that looks for names: more than any registry allows. */
const label = String.raw`[^\s.。．｡,;:!?"'()<>[\]{}/\\|@=&#%*\x60~^$+]+`;
const dots = new RegExp(`(${label})([.。．｡])(?=(${label}))`, 'gu');
const scheme = /\b([a-z][a-z0-9+.-]*):(?=[/\\]{2})/giu;
/** Those that work without slashes. */
const bareScheme =
  /\b(https?|ftp|mailto|tel|sms|javascript|vbscript|data|file|callto|skype|xmpp|sips?|slack|tg|geo|magnet|blob|cid|mid):(?=\S)/giu;

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const isLetter = (text: string): boolean => Array.from(text).length === 1;

/** The dot of a number or an abbreviation (3.5, e.g.) is no address's. */
const isOrdinary = (before: string, after: string): boolean =>
  (isNumber(before) && isNumber(after)) || (isLetter(before) && isLetter(after));

/** The same text, readable, in which no program finds an address: `https[:]//bank[.]example[@]evil[.]example`. */
export function inertText(text: string): string {
  return text
    .replace(scheme, '$1[:]')
    .replace(bareScheme, '$1[:]')
    .replace(dots, (whole, before: string, dot: string, after: string) =>
      isOrdinary(before, after) ? whole : `${before}[${dot}]`,
    )
    .replace(/(?<=\S)@(?=\S)/gu, '[@]');
}
