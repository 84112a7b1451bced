// Questions as lines of a table that spreadsheets read (RFC 4180), one per question.
import type { HoldView } from '../../contract/hold.ts';

const columns: Record<string, (hold: HoldView) => string | null> = {
  id: ({ id }) => id,
  task: ({ taskId }) => taskId,
  agent: ({ agent }) => agent,
  requester: ({ requester }) => requester,
  kind: ({ kind }) => kind,
  subject: ({ subject }) => subject,
  title: ({ title }) => title,
  policy: ({ policy }) => policy,
  asked: ({ openedAt }) => openedAt,
  deadline: ({ expiresAt }) => expiresAt,
  ended: ({ ended }) => ended?.at ?? null,
  end: ({ ended, status }) => ended?.why ?? status,
  by: ({ ended, decision }) => decision?.by ?? ended?.by ?? null,
  way: ({ decision }) => decision?.door ?? null,
  reason: ({ decision }) => decision?.reason ?? null,
  proposed: ({ context, defaults, tool }) => JSON.stringify(tool === null ? defaults : context.toolArgs),
  answer: ({ decision }) => (decision === null ? null : JSON.stringify(decision.values)),
  digest: ({ digest }) => digest,
};

/** A text that begins as a formula is one to a spreadsheet, whoever wrote it: an apostrophe keeps it a text. */
const withoutFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function cell(text: string | null): string {
  if (text === null) return '';
  const safe = withoutFormula(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The first line; with the mark by which spreadsheets know UTF-8. */
export const csvHead = `\uFEFF${Object.keys(columns).join(',')}\r\n`;

export const csvLine = (hold: HoldView): string =>
  `${Object.values(columns)
    .map((read) => cell(read(hold)))
    .join(',')}\r\n`;
