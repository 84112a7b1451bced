// Calls of one tool as a table: a column an argument, so that what differs is seen at a glance.
import type { ReactNode } from 'react';
import { visible } from '../../base/text/visible.ts';
import type { Dict } from '../../hold/values/dict.ts';
import { humanise } from '../../hold/values/humanise.ts';
import { columnWords } from '../../hold/values/plain-words.ts';
import { formatValue } from '../../hold/values/value-diff.ts';
import { strings } from '../../i18n/strings.ts';
import { type BulkRowProps, ReviewRow, ReviewTable } from './review-table.tsx';

interface Props {
  columns: readonly string[];
  items: readonly BulkRowProps[];
}

export function BulkTable({ columns, items }: Props): ReactNode {
  const argsOf = ({ entry }: BulkRowProps): Dict => entry?.hold?.context.toolArgs ?? {};
  const valueOf = (item: BulkRowProps, name: string): unknown => argsOf(item)[name];
  const calls = items.map(argsOf);
  const wordsIn = new Map(columns.map((name) => [name, columnWords(name, calls)]));
  const wordsOf = (item: BulkRowProps, name: string): string => {
    const value = valueOf(item, name);
    return wordsIn.get(name)?.(value) ?? visible(formatValue(value));
  };
  return (
    <ReviewTable
      label={strings.bulk.table}
      columns={columns.map((name) => ({
        key: name,
        label: humanise(visible(name)),
        differs: new Set(items.map((item) => wordsOf(item, name))).size > 1,
        isNumber: items.every((item) => typeof valueOf(item, name) === 'number'),
      }))}
      rows={items.map(({ row }) => row)}
    >
      {(shape) =>
        items.map((item) => (
          <ReviewRow key={item.row.id} {...item} shape={shape} cells={columns.map((name) => wordsOf(item, name))} />
        ))
      }
    </ReviewTable>
  );
}
