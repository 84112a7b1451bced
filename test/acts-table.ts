// The table of acts as docs/access.md has it: `node --import tsx test/acts-table.ts` prints it.
import { pathToFileURL } from 'node:url';
import { tableOf } from '../scripts/source-lists.mjs';
import { actList, whoMay } from '../src/contract/acts/act-names.ts';

/** A Markdown table: an act a row, who may, whether operators do it to many at once, and what takes it back. */
export function actsTable(): string {
  const rows = actList.map(({ name, who, many, undoneBy }) => [
    `\`${name}\``,
    whoMay[who].words,
    many === null ? '' : 'yes',
    undoneBy === null ? '' : `\`${undoneBy}\``,
  ]);
  return tableOf(['act', 'who may, of those who see the question', 'many', 'undone by'], rows);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(`${actsTable()}\n`);
