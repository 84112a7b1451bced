// A mail's HTML part, next to its text: tables, one button, nothing from elsewhere, in light and dark. Words of agents and
// people come in as text and stay text.
import { escapeHtml as esc } from '../base/html.ts';
import type { ArgField } from './arg-fields.ts';

/** The last line of every mail. */
export const noReplies = 'Replies to this mail are not read and decide nothing.';

export interface MailPage {
  /** Of the question, or of the list. */
  title: string;
  /** What happened, in a sentence; empty: the title says it. */
  lead: string;
  sections: readonly MailSection[];
  button: { label: string; link: string };
  /** A second way, as a line: its words and its address. */
  other: { label: string; link: string } | null;
  /** The last lines, in small print. */
  foot: readonly string[];
}

export type MailSection =
  /** Names and values, a row each. */
  | { kind: 'facts'; heading: string; facts: readonly ArgField[] }
  | { kind: 'words'; heading: string; text: string }
  /** Titles that lead to their pages, with a line below each. */
  | { kind: 'list'; heading: string; rows: readonly { title: string; link: string; about: string }[] };

/** Only our own pages are led to. */
const href = (link: string): string => (/^https?:\/\//i.test(link) ? esc(link) : '#');

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const mono = 'font-family:ui-monospace,Consolas,monospace;font-size:13px';

// Programs that drop the style sheet keep the inline colours, which are those of the light pages (web/src/ui/tokens.css).
const dark = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #12161c !important; } .box { background: #1a2029 !important; border-color: #2d3540 !important; }
  .text { color: #e8ecf1 !important; } .muted { color: #a3afbd !important; } .line { border-color: #2d3540 !important; }
  .link { color: #8ab8ff !important; } .button { background: #8ab8ff !important; color: #0b1a30 !important; }
}
@media (max-width: 480px) { .box { padding: 16px !important; } .name { width: 34% !important; } }`;

const heading = (words: string): string =>
  words === '' ? '' : `<p class="muted" style="margin:20px 0 4px;font-size:13px;color:#566170">${esc(words)}</p>`;

const cell = (isLast: boolean): string =>
  `padding:6px 0;vertical-align:top;${isLast ? '' : 'border-bottom:1px solid #e3e7ec;'}font-size:14px;line-height:20px;overflow-wrap:anywhere;word-break:break-word`;

function factRow({ name, value }: ArgField, isLast: boolean): string {
  const isCode = value.includes('\n');
  const style = `${cell(isLast)};color:#171c23;white-space:pre-wrap${isCode ? `;${mono}` : ''}`;
  return (
    `<tr><td class="muted line name" style="${cell(isLast)};color:#566170;width:30%;padding-right:12px"><bdi>${esc(name)}</bdi></td>` +
    `<td class="text line" style="${style}"><bdi>${esc(value)}</bdi></td></tr>`
  );
}

const table = (rows: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;table-layout:fixed">${rows}</table>`;

function sectionHtml(section: MailSection): string {
  switch (section.kind) {
    case 'facts': {
      const last = section.facts.length - 1;
      return section.facts.length === 0
        ? ''
        : heading(section.heading) + table(section.facts.map((fact, index) => factRow(fact, index === last)).join(''));
    }
    case 'words':
      return `${heading(section.heading)}<p class="text line" dir="auto" style="margin:0;padding-left:12px;border-left:3px solid #e3e7ec;color:#171c23;white-space:pre-wrap;overflow-wrap:anywhere">${esc(section.text)}</p>`;
    case 'list': {
      const last = section.rows.length - 1;
      const rows = section.rows.map(
        ({ title, link, about }, index) =>
          `<tr><td class="line" style="${cell(index === last)}"><a class="link" href="${href(link)}" style="color:#1557b0;font-weight:600"><bdi>${esc(title)}</bdi></a><br><span class="muted" style="color:#566170;font-size:13px">${esc(about)}</span></td></tr>`,
      );
      return rows.length === 0 ? '' : heading(section.heading) + table(rows.join(''));
    }
    default:
      return section satisfies never;
  }
}

/** A whole document; never throws. */
export function mailHtml({ title, lead, sections, button, other, foot }: MailPage): string {
  const body = [
    `<h1 class="text" dir="auto" style="margin:0 0 8px;font-size:20px;line-height:28px;color:#171c23;overflow-wrap:anywhere">${esc(title)}</h1>`,
    lead === '' ? '' : `<p class="text" style="margin:0 0 8px;color:#171c23">${esc(lead)}</p>`,
    ...sections.map(sectionHtml),
    `<p style="margin:24px 0 8px"><a class="button" href="${href(button.link)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1557b0;color:#ffffff;font-weight:600;text-decoration:none">${esc(button.label)}</a></p>`,
    other === null
      ? ''
      : `<p style="margin:8px 0 0;font-size:14px"><a class="link" href="${href(other.link)}" style="color:#1557b0">${esc(other.label)}</a></p>`,
  ].join('');
  const small = foot
    .map(
      (line) =>
        `<p class="muted" style="margin:12px 0 0;font-size:12px;line-height:18px;color:#566170">${esc(line)}</p>`,
    )
    .join('');
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">` +
    `<title>${esc(title)}</title><style>${dark}</style></head>` +
    `<body class="ground" style="margin:0;padding:0;background:#f4f6f8;${font};font-size:15px;line-height:22px">` +
    `<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f6f8"><tr><td align="center" style="padding:16px 8px">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr>` +
    `<td class="box" align="left" style="padding:28px;border:1px solid #e3e7ec;border-radius:10px;background:#ffffff">${body}${small}</td>` +
    `</tr></table></td></tr></table></body></html>`
  );
}

/** What a link that decides says of itself. */
export const decideWords = 'Decide without signing in (works once, only for you)';

/** The HTML part of a mail; a link that decides is its button, and its page the line below. Null: it has no such part. */
export function mailHtmlOf(page: MailPage | null, decideLink: string | null): string | null {
  if (page === null) return null;
  const foot = [...page.foot, noReplies];
  if (decideLink === null) return mailHtml({ ...page, foot });
  return mailHtml({ ...page, foot, button: { label: decideWords, link: decideLink }, other: page.button });
}
