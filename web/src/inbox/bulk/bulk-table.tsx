// Calls of one tool as a table: a row a call, a column an argument, so that what differs is seen at a glance.
import { type ReactNode, useEffect, useRef } from 'react';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { humanise } from '../../hold/values/humanise.ts';
import { formatValue } from '../../hold/values/value-diff.ts';
import { visible } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { useBlock } from '../../hold/reading/read-block.tsx';
import { useIsSettled } from '../../hold/reading/reading-boundary.tsx';
import { type BulkEntry, rowState, type RowState } from './bulk-state.ts';
import { headlineWords } from '../../hold/row/row-words.ts';

const text = strings.bulk;

export interface BulkRowProps {
  row: HoldRowView;
  entry: BulkEntry | null;
  result: RowState | null;
  isSent: boolean;
  onRead: () => void;
  onRemove: (() => void) | null;
}

export function BulkTable({
  columns,
  items,
}: {
  columns: readonly string[];
  items: readonly BulkRowProps[];
}): ReactNode {
  return (
    <div className="scrolls bulk-table" tabIndex={0} role="group" aria-label={text.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.question}</th>
            {columns.map((name) => (
              <th key={name} scope="col" dir="auto">
                {humanise(visible(name))}
              </th>
            ))}
            <th scope="col">{text.state}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Call key={item.row.id} columns={columns} {...item} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Call({
  columns,
  row,
  entry,
  result,
  isSent,
  onRead,
  onRemove,
}: { columns: readonly string[] } & BulkRowProps): ReactNode {
  const hold = entry?.hold ?? null;
  const { id, ref } = useBlock<HTMLTableRowElement>({ kind: 'row', isCut: hold === null });
  useWhenRead(id, hold !== null && entry?.isRead !== true, onRead);
  const title = headlineWords(row);
  return (
    <tr ref={ref} className="bulk-item" data-unseen={entry?.isRead !== true || undefined}>
      <th scope="row" dir="auto">
        {title}
      </th>
      {columns.map((name) => (
        <td key={name} dir="auto">
          {visible(formatValue(hold?.context.toolArgs[name]))}
        </td>
      ))}
      <td>
        <StateWord state={rowState(entry, { result, isSent })} />
        {onRemove !== null && (
          <button type="button" className="button quiet" aria-label={text.remove(title)} onClick={onRemove}>
            {text.drop}
          </button>
        )}
      </td>
    </tr>
  );
}

export const StateWord = ({ state }: { state: RowState | null }): ReactNode =>
  state !== null && <span className={`row-state ${state.tone}`}>{state.text}</span>;

/** Calls once when all of the row has been on the screen; never while it is not wanted. */
export function useWhenRead(id: string, isWanted: boolean, onRead: () => void): void {
  const isRead = useIsSettled(id) && isWanted;
  const latest = useRef(onRead);
  useEffect(() => {
    latest.current = onRead;
  });
  useEffect(() => {
    if (isRead) latest.current();
  }, [isRead]);
}
