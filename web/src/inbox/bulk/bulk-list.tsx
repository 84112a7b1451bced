// Questions that fit no table, a row each: what a row has to cut is read once it is opened in its place.
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { agentTitle } from '../../base/account/names.ts';
import { visible } from '../../base/text/visible.ts';
import { headlineWords } from '../../hold/row/row-words.ts';
import { Request } from '../../hold/head/request.tsx';
import { ReadBlock, useBlock } from '../../hold/reading/read-block.tsx';
import { ReadingBoundary, useReading, useUnseen } from '../../hold/reading/reading-boundary.tsx';
import { AgentBlock } from '../../hold/text/agent-block.tsx';
import { strings } from '../../i18n/strings.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { rowText } from './bulk-state.ts';
import { type BulkRowProps, ReviewCells, ReviewTable, type Shape, useWhenRead } from './review-table.tsx';

const text = strings.bulk;

interface Props {
  items: readonly BulkRowProps[];
  /** The agent says the same of all of them, once above. */
  isOneText: boolean;
}

export function BulkList({ items, isOneText }: Props): ReactNode {
  return (
    <ReviewTable label={text.list} columns={noColumns} rows={items.map(({ row }) => row)}>
      {(shape) => items.map((item) => <BulkItem key={item.row.id} {...item} {...{ shape, isOneText }} />)}
    </ReviewTable>
  );
}

const noColumns: never[] = [];

function BulkItem({
  isOneText,
  shape,
  onRead,
  ...item
}: BulkRowProps & Pick<Props, 'isOneText'> & { shape: Shape }): ReactNode {
  const { row, entry } = item;
  const hold = entry?.hold ?? null;
  const [isOpen, setOpen] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const title = headlineWords(row);
  const rest = hold === null || isOneText ? { line: '', isAll: isOneText } : rowText(hold, title);
  const opener = useRef<HTMLButtonElement>(null);
  const goOn = useRef<(() => void) | null>(null);
  const isCut = useCut(opener, isOpen ? null : `${title}\n${rest.line}`) || !rest.isAll;
  const isRead = entry?.isRead === true;
  // What is cut was not on the screen with its row: all of it is, once it is open and read to its end.
  const { id, ref } = useBlock<HTMLTableSectionElement>({
    kind: 'row',
    shows: String(isOpen),
    isCut: hold === null || (isCut && !(isOpen && isWhole)),
    unfold: () => {
      if (isOpen) goOn.current?.();
      else {
        ref.current?.scrollIntoView({ block: 'start' });
        opener.current?.focus({ preventScroll: true });
      }
      return true;
    },
  });
  useWhenRead(id, hold !== null && !isRead, onRead);
  return (
    <tbody className="bulk-item" ref={ref} data-unseen={!isRead || undefined}>
      <ReviewCells
        {...item}
        {...{ shape, isCut }}
        cells={noColumns}
        around={(marked) => (
          <button
            ref={opener}
            type="button"
            className="review-open"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {marked}
            {rest.line !== '' && (
              <bdi className="meta cut" dir="auto">
                {rest.line}
              </bdi>
            )}
          </button>
        )}
      />
      {isOpen && (
        <tr>
          <td colSpan={shape.width} className="review-whole">
            <ReadingBoundary of={hold?.digest ?? ''}>
              {hold === null ? (
                <p className="meta">{entry?.failed === true ? text.gone : strings.app.loading}</p>
              ) : (
                <Whole hold={hold} goOn={goOn} onWhole={setWhole} />
              )}
            </ReadingBoundary>
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Whether something of a closed line, which says this, has no room in it; until it was measured, something has. */
function useCut(line: RefObject<HTMLElement | null>, says: string | null): boolean {
  const [isCut, setCut] = useState(true);
  useLayoutEffect(() => {
    const element = line.current;
    if (element === null || says === null) return undefined;
    const parts = [...element.querySelectorAll('.cut')];
    const measure = (): void => setCut(parts.some(isOver));
    const sizes = new ResizeObserver(measure);
    for (const part of parts) sizes.observe(part);
    measure();
    return () => sizes.disconnect();
  }, [line, says]);
  return isCut;
}

/** To the fraction of a pixel: less than one cuts its last letters. */
function isOver(part: Element): boolean {
  const range = document.createRange();
  range.selectNodeContents(part);
  return range.getBoundingClientRect().width > part.getBoundingClientRect().width + 0.02;
}

interface WholeProps {
  hold: HoldView;
  /** Brings the next of it to the screen. */
  goOn: RefObject<(() => void) | null>;
  /** Whether nothing of it is left to read. */
  onWhole: (isWhole: boolean) => void;
}

function Whole({ hold, goOn, onWhole }: WholeProps): ReactNode {
  const reading = useReading();
  const unseen = useUnseen();
  useLayoutEffect(() => {
    goOn.current = reading?.show ?? null;
  });
  // A long text, or a diff, says only once it is drawn that a part of it is collapsed.
  const isWhole = unseen === null && reading?.isArmed() === true;
  useEffect(() => onWhole(isWhole), [isWhole, onWhole]);
  const args = Object.entries(hold.context.toolArgs).map(([name, value]): Fact => [
    visible(name),
    visible(typeof value === 'string' ? value : JSON.stringify(value)),
  ]);
  return (
    <>
      <Request hold={hold} />
      <AgentBlock agent={agentTitle(hold.agent)} text={hold.message === '' ? text.noExplanation : hold.message}>
        {hold.hasOwnTitle && hold.title !== hold.headline && <p className="meta">{visible(hold.title)}</p>}
        {hold.tool !== null && <p className="meta">{text.tool(visible(hold.tool.name))}</p>}
        <ReadBlock kind="arguments">
          <Facts facts={args} />
        </ReadBlock>
      </AgentBlock>
    </>
  );
}
