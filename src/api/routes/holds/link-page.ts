// The page behind a link in a message: says what is asked and asks once more. Plain HTML without scripts, drawn on the server.
import { createHash } from 'node:crypto';
import { escapeHtml as esc } from '../../../core/base/html.ts';
import type { ArgField } from '../../../core/questions/arg-fields.ts';
import type { ShownText } from '../../../core/questions/shown-question.ts';

// The colours are those of the pages (web/src/ui/tokens.css).
const style = `
:root {
  color-scheme: light dark; font: 16px/24px system-ui, sans-serif; --bg: light-dark(#f4f6f8, #12161c);
  --box: light-dark(#ffffff, #1a2029); --text: light-dark(#171c23, #e8ecf1); --muted: light-dark(#566170, #a3afbd);
  --line: light-dark(#e3e7ec, #2d3540); --field: light-dark(#7d8896, #748091);
  --accent: light-dark(#1557b0, #8ab8ff); --on-accent: light-dark(#ffffff, #0b1a30);
}
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--bg); color: var(--text); }
header, main { max-width: 40rem; margin: 0 auto; }
header { display: flex; align-items: center; gap: 8px; margin-bottom: 16px; font-weight: 600; }
main { padding: 20px; background: var(--box); border: 1px solid var(--line); border-radius: 10px; }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 30px; overflow-wrap: anywhere; }
p { margin: 0 0 16px; overflow-wrap: anywhere; } p:last-child { margin-bottom: 0; }
a { color: var(--accent); } small, dt { color: var(--muted); font-size: 14px; line-height: 20px; }
blockquote { margin: 0 0 16px; padding: 4px 0 4px 14px; border-inline-start: 3px solid var(--line); overflow-wrap: anywhere; white-space: pre-wrap; }
dl { margin: 0 0 16px; display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: 4px 12px; }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; } dt { max-width: 40vw; line-height: 24px; overflow-wrap: anywhere; }
dd:has(code) { grid-column: 1 / -1; }
code { font: 14px/22px ui-monospace, monospace; }
form { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0 8px; }
button { flex: 1 0 auto; min-height: 48px; padding: 0 8px; border: 1px solid var(--field); border-radius: 6px; background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button[value=yes] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
@media (min-width: 700px) { body { padding-top: 48px; } main { padding: 32px; } button { flex: 0 0 12rem; } }
`;

/** Goes with the page: nothing is loaded, nothing runs, the form goes nowhere else. */
export const linkPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The pages' own (web/src/base/page/favicon.svg), within the page: nothing is loaded. */
const mark =
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1557b0"/><path d="M11 8v16M21 8v16" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>';

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer"><title>${esc(title)}</title><style>${style}</style></head><body><header>${mark} Standfast</header><main>${body}</main></body></html>`;

interface LinkQuestion {
  title: string;
  message: string;
  agent: string;
  user: string;
  deadline: string;
  yes: string;
  no: string;
  /** What either answer does, and whether it can be taken back. */
  means: string;
  /** Address of the whole question. */
  link: string;
  args: readonly ArgField[];
  tool: string | null;
  /** What the agent wrote before it asked, beyond its message. */
  texts: readonly ShownText[];
  /** What the agent says of its question beyond it; null: nothing. */
  stated: string | null;
  /** What the agent calls the decision itself; empty where it does not. */
  asked: string;
}

/** A value of several lines has the whole width, below its name. */
const argText = ({ name, value }: ArgField): string =>
  `<dt><bdi>${esc(name)}</bdi></dt><dd dir="auto">${value.includes('\n') ? `<code>${esc(value)}</code>` : esc(value)}</dd>`;

const writtenText = ({ agent, texts }: LinkQuestion): string =>
  texts
    .map(
      ({ name, text }) =>
        `<p>${esc(agent)} wrote before it asked${name === '' ? '' : ` (<bdi>${esc(name)}</bdi>)`}:</p><blockquote dir="auto">${esc(text)}</blockquote>`,
    )
    .join('');

const aboutText = ({ title, agent, deadline }: LinkAbout): string =>
  `<dl><dt>Question</dt><dd dir="auto">${esc(title)}</dd><dt>Agent</dt><dd>${esc(agent)}</dd>` +
  `${deadline === null ? '' : `<dt>Until</dt><dd>${esc(deadline)}</dd>`}</dl>`;

/** Asks, and cuts nothing; only the form's POST decides, so that link previews and scanners decide nothing. */
export function questionPage(question: LinkQuestion): string {
  const { title, message, agent, user, deadline, yes, no, means, link, args, tool, stated, asked } = question;
  const shown = [
    tool === null ? '' : `<dt>Call</dt><dd><code>${esc(tool)}</code></dd>`,
    ...args.map(argText),
    asked === '' ? '' : `<dt>Asked</dt><dd dir="auto">${esc(asked)}</dd>`,
  ].join('');
  const words =
    message.trim() === '' ? '' : `<p>${esc(agent)} says:</p><blockquote dir="auto">${esc(message)}</blockquote>`;
  return page(
    'Decide · Standfast',
    `<h1 dir="auto">${esc(title)}</h1>${writtenText(question)}${words}` +
      (stated === null ? '' : `<blockquote dir="auto"><small>${esc(stated)}</small></blockquote>`) +
      `<dl>${shown}<dt>Agent</dt><dd>${esc(agent)}</dd><dt>Until</dt><dd>${esc(deadline)}</dd><dt>You are</dt><dd>${esc(user)}</dd></dl>` +
      `<form method="post"><button name="decision" value="yes">${esc(yes)}</button>` +
      `<button name="decision" value="no">${esc(no)}</button></form>` +
      `<p><small>${esc(means)}</small></p><p><a href="${esc(link)}">See the whole question</a></p>`,
  );
}

/** What a link was about, for people who are still asked. */
export interface LinkAbout {
  title: string;
  agent: string;
  /** Null: it has ended. */
  deadline: string | null;
}

export function messagePage(
  heading: string,
  text: string,
  link: string | null,
  about: LinkAbout | null = null,
): string {
  const more = link === null ? '' : `<p><a href="${esc(link)}">See the question</a></p>`;
  return page(
    `${heading} · Standfast`,
    `<h1>${esc(heading)}</h1><p>${esc(text)}</p>${about === null ? '' : aboutText(about)}${more}`,
  );
}
