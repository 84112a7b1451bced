// Lists of the documents that are made of the source: the codes in docs/errors.md, what silence does in docs/policies.md,
// and docs/configuration-keys.md. `npm run lists` writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { problems } from '../src/contract/base/problem.ts';
import { timeoutActions } from '../src/contract/configuration/policy.ts';
import { configKeysPage } from './config-keys.mjs';
import { wordOrCode, wrapped } from './link-lists.mjs';

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

const word = (isSo) => (isSo ? 'yes' : '–');

/** A Markdown table, its columns as wide as their longest cells. */
export function tableOf(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const lines = all.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  return [lines[0], `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines.slice(1)].join('\n');
}

const codes = () =>
  tableOf(
    ['code', 'HTTP', 'RUN_ERROR', 'again', 'meaning'],
    Object.entries(problems).map(([code, { http, isRunError, isRetryable, title }]) => [
      `\`${code}\``,
      String(http ?? '–'),
      word(isRunError),
      word(isRetryable),
      title,
    ]),
  );

const timeouts = () =>
  Object.entries(timeoutActions)
    .map(([name, what]) => wrapped([`- \`${name}\`:`, ...what.match(wordOrCode)]))
    .join('\n');

/** The page with this list in the place of the one that follows these words. */
function withList(path, before, list) {
  const [head, rest] = read(path).split(`${before}\n\n`);
  if (rest === undefined) throw new Error(`${path} does not say "${before}"`);
  return [path, `${head}${before}\n\n${list}\n${rest.slice(rest.indexOf('\n\n') + 1)}`];
}

/** The documents that have such lists, as they should be: `[path, text]`. */
export const filesWithSourceLists = () => [
  withList('docs/errors.md', '(`Retry-After` is set).', codes()),
  withList('docs/policies.md', 'What `then` does at the deadline:', timeouts()),
  ['docs/configuration-keys.md', configKeysPage()],
];

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of filesWithSourceLists()) writeFileSync(new URL(path, root), text);
