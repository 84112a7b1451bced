// Calls of one tool as a table: a row a call, a column an argument, so that what differs is seen at a glance.
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { BulkReply, HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { humanise } from '../../hold/values/humanise.ts';
import { formatValue } from '../../hold/values/value-diff.ts';
import { visible } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { type BulkEntry, resultWords } from './bulk-state.ts';
import { headlineWords } from '../../hold/row/row-words.ts';

const text = strings.bulk;

export interface BulkRowProps {
  row: HoldRowView;
  entry: BulkEntry | null;
  result: BulkReply['results'][number] | null;
  /** False: something of it turned out to be collapsed. */
  onRead: (isRead?: boolean) => void;
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
  onRead,
  onRemove,
}: { columns: readonly string[] } & BulkRowProps): ReactNode {
  const hold = entry?.hold ?? null;
  const ref = useSeen<HTMLTableRowElement>(hold !== null && entry?.isRead !== true, onRead);
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
        {entry?.hasChanged === true && <span className="warn">{text.changed}</span>}
        {result !== null && <span className={result.ok ? 'ok' : 'danger'}>{resultWords(result)}</span>}
        {onRemove !== null && (
          <button type="button" className="button quiet" aria-label={text.remove(title)} onClick={onRemove}>
            {text.drop}
          </button>
        )}
      </td>
    </tr>
  );
}

/** To the first that was not seen: its buttons wait for it. One that has to be opened gets the focus, one that is open moves on. */
export function showUnseen(): void {
  const next = document.querySelector('.bulk-item[data-unseen]');
  if (next === null) return;
  const opener = next.querySelector<HTMLElement>('details:not([open]) > summary, [aria-expanded="false"]');
  if (next.querySelector('[open]') === null) next.scrollIntoView({ block: 'start' });
  else for (const part of [next.closest('.inbox-pane'), window]) part?.scrollBy(0, innerHeight / 2);
  opener?.focus({ preventScroll: true });
}

/** Calls once when all of the element has been visible; never while it is not wanted. */
export function useSeen<T extends Element>(isWanted: boolean, onSeen: () => void): RefObject<T | null> {
  const ref = useRef<T>(null);
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    const element = ref.current;
    if (!isWanted || element === null) return undefined;
    // The bar at the foot covers what lies under it.
    const bar = document.querySelector('.bulk-bar')?.getBoundingClientRect().height ?? 0;
    const rootMargin = `0px 0px -${Math.round(Math.min(bar, innerHeight / 2))}px 0px`;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        latest.current();
      },
      { threshold: 0.9, rootMargin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isWanted]);
  return ref;
}
