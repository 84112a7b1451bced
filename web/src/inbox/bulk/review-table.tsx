// The questions of a review as one table: the columns of the list, between them what differs, which is marked.
import { type ReactNode, useEffect, useRef } from 'react';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { useMe } from '../../base/account/me.ts';
import { nameFor } from '../../base/account/names.ts';
import { useBlock } from '../../hold/reading/read-block.tsx';
import { useIsSettled } from '../../hold/reading/reading-boundary.tsx';
import { useRowTime } from '../../hold/row/row-time.ts';
import { amountWords, headlineWords, rowTitle } from '../../hold/row/row-words.ts';
import { strings } from '../../i18n/strings.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Monogram } from '../../ui/monogram.tsx';
import { KindMark } from '../kind-mark.tsx';
import { type BulkEntry, rowState, type RowState } from './bulk-state.ts';
import { type Common, commonOf, partsOfTitle, sumOfRows } from './differs.ts';
import './review-table.css';

const text = strings.bulk;

export interface BulkRowProps {
  row: HoldRowView;
  entry: BulkEntry | null;
  result: RowState | null;
  isSent: boolean;
  onRead: () => void;
  onRemove: (() => void) | null;
}

/** What of a question the list has no column for. */
export interface ReviewColumn {
  key: string;
  label: string;
  /** Not the same in all of them. */
  differs: boolean;
  /** A number in each of them: they are set below each other. */
  isNumber?: boolean;
}

interface TableProps {
  label: string;
  columns: readonly ReviewColumn[];
  rows: readonly HoldRowView[];
  /** A `tbody` for each of them. */
  children: (shape: Shape) => ReactNode;
}

/** What all rows of a table have in common. */
export interface Shape {
  columns: readonly ReviewColumn[];
  common: Common;
  hasAmount: boolean;
  /** How many cells a row has. */
  width: number;
}

export function ReviewTable({ label, columns, rows, children }: TableProps): ReactNode {
  // Next to columns of its own an amount would be there twice.
  const hasAmount = columns.length === 0 && rows.some((row) => amountWords(row) !== null);
  const common = commonOf(rows.map(rowTitle));
  const width = columns.length + 5 + Number(hasAmount);
  const sum = rows.length > 1 ? sumOfRows(rows) : null;
  return (
    <div className="scrolls bulk-table" tabIndex={0} role="group" aria-label={label}>
      <table className={columns.length === 0 ? 'review narrow' : 'review'}>
        <thead>
          <tr>
            <th scope="col">{text.question}</th>
            {columns.map(({ key, label: name, isNumber }) => (
              <th key={key} scope="col" dir="auto" className={isNumber === true ? 'amount' : undefined}>
                {name}
              </th>
            ))}
            {hasAmount && (
              <th scope="col" className="amount">
                {text.amount}
              </th>
            )}
            <th scope="col">{text.whom}</th>
            <th scope="col">{text.until}</th>
            <th scope="col" colSpan={2}>
              {text.state}
            </th>
          </tr>
        </thead>
        {children({ columns, common, hasAmount, width })}
        {sum !== null && (
          <tfoot>
            <tr>
              <td colSpan={width}>{text.sum(rows.length, sum)}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

interface CellsProps extends Omit<BulkRowProps, 'onRead'> {
  shape: Shape;
  cells: readonly string[];
  isCut?: boolean;
  /** In the place of its title: what opens it, around the title. */
  around?: (title: ReactNode) => ReactNode;
}

/** The row of one question, without what it opens. */
export function ReviewCells(props: CellsProps): ReactNode {
  const { row, entry, result, isSent, isCut = false, onRemove, shape, cells, around = (title) => title } = props;
  const myId = useMe()?.id ?? null;
  const time = useRowTime(row);
  const title = headlineWords(row);
  const requester = nameFor(row.requester, myId, strings.ends.you);
  return (
    <tr>
      <th scope="row" dir="auto" className="review-question">
        <span className="review-title">
          <KindMark row={row} />
          {around(<MarkedTitle title={rowTitle(row)} common={shape.common} />)}
        </span>
      </th>
      {shape.columns.map(({ key, label, differs, isNumber }, index) => (
        <td
          key={key}
          dir="auto"
          className={`${differs ? 'differs' : 'meta'}${isNumber === true ? ' amount num' : ''}`}
          data-label={label}
        >
          {cells[index]}
        </td>
      ))}
      {shape.hasAmount && <td className="amount num">{amountWords(row)}</td>}
      <td>
        <span className="review-whom" title={requester}>
          <Monogram id={row.requester} name={requester} isPerson /> <bdi>{requester}</bdi>
        </span>
      </td>
      <td className={`num row-time ${time.tone}`} title={time.absolute}>
        {time.short}
      </td>
      <td>
        <StateWord state={rowState(entry, { result, isSent, isCut })} />
      </td>
      <td className="review-drop">
        {onRemove !== null && <IconButton icon="cross" label={text.remove(title)} onClick={onRemove} />}
      </td>
    </tr>
  );
}

function MarkedTitle({ title, common }: { title: string; common: Common }): ReactNode {
  const [before, own, after] = partsOfTitle(title, common);
  return (
    <bdi className="cut strong" dir="auto">
      {before}
      {own !== '' && <mark>{own}</mark>}
      {after}
    </bdi>
  );
}

/** A question of which its row shows all there is. */
export function ReviewRow({ onRead, ...props }: CellsProps & Pick<BulkRowProps, 'onRead'>): ReactNode {
  const { entry } = props;
  const isThere = entry?.hold != null;
  const isRead = entry?.isRead === true && !entry.hasChanged;
  const { id, ref } = useBlock<HTMLTableSectionElement>({ kind: 'row', isCut: !isThere });
  useWhenRead(id, isThere && !isRead, onRead);
  return (
    <tbody ref={ref} className="bulk-item" data-unseen={!isRead || undefined}>
      <ReviewCells {...props} />
    </tbody>
  );
}

const StateWord = ({ state }: { state: RowState | null }): ReactNode =>
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
