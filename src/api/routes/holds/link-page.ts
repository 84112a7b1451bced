// The page behind a link in a message: says what is asked and asks once more. Plain HTML without scripts, drawn on the server.
import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; font: 15px/22px system-ui, sans-serif; }
body { margin: 0 auto; max-width: 34rem; padding: 24px 16px; }
h1 { font-size: 22px; line-height: 30px; }
dt { opacity: 0.75; } dd { margin: 0 0 12px; overflow-wrap: anywhere; white-space: pre-wrap; }
blockquote { border: 1px solid; border-radius: 6px; margin: 0 0 16px; padding: 8px 12px; overflow-wrap: anywhere; white-space: pre-wrap; }
button { font: inherit; min-height: 44px; min-width: 9rem; margin: 0 8px 8px 0; border: 1px solid; border-radius: 6px; }
`;

/** Goes with the page: nothing is loaded, nothing runs, the form goes nowhere else. */
export const linkPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Text as text, also inside attributes; control, bidi and zero-width characters are shown as such. */
function esc(text: string): string {
  return text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      '\ufffd',
    )
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer"><title>${esc(title)}</title><style>${style}</style></head><body><main><p><strong>Holdpoint</strong></p>${body}</main></body></html>`;

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
  args: string | null;
  tool: string | null;
  /** What the agent calls the decision itself; empty where it does not. */
  asked: string;
}

const aboutText = ({ title, agent, deadline }: LinkAbout): string =>
  `<dl><dt>Question</dt><dd dir="auto">${esc(title)}</dd><dt>Agent</dt><dd>${esc(agent)}</dd>` +
  `${deadline === null ? '' : `<dt>Until</dt><dd>${esc(deadline)}</dd>`}</dl>`;

/** Asks, and cuts nothing; only the form's POST decides, so that link previews and scanners decide nothing. */
export function questionPage(question: LinkQuestion): string {
  const { title, message, agent, user, deadline, yes, no, means, link, args, tool, asked } = question;
  const shown = [
    tool === null ? '' : `<dt>Call</dt><dd><code>${esc(tool)}</code></dd>`,
    args === null ? '' : `<dt>With</dt><dd><code>${esc(args)}</code></dd>`,
    asked === '' ? '' : `<dt>Asked</dt><dd dir="auto">${esc(asked)}</dd>`,
  ].join('');
  return page(
    'Decide · Holdpoint',
    `<h1 dir="auto">${esc(title)}</h1>` +
      `<p>${esc(agent)} says:</p><blockquote dir="auto">${esc(message)}</blockquote>` +
      `<dl>${shown}<dt>Until</dt><dd>${esc(deadline)}</dd><dt>You are</dt><dd>${esc(user)}</dd></dl>` +
      `<form method="post"><button name="decision" value="yes">${esc(yes)}</button>` +
      `<button name="decision" value="no">${esc(no)}</button></form>` +
      `<p>${esc(means)}</p><p><a href="${esc(link)}">See the whole question</a></p>`,
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
    `${heading} · Holdpoint`,
    `<h1>${esc(heading)}</h1>${about === null ? '' : aboutText(about)}<p>${esc(text)}</p>${more}`,
  );
}
