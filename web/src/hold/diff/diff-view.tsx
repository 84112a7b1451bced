// A diff as people read one: file by file, what came in green and what went in red, and which files were seen to their end.
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { useKeys } from '../../base/page/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { EndMark, useBlock } from '../reading/read-block.tsx';
import { useIsSettled, useReading } from '../reading/reading-boundary.tsx';
import { type DiffFile, lineNumbers, readDiff } from './read-diff.ts';
import './diff.css';

const text = strings.seen;
/** Files that are open, from the first: what is longer is opened by its reader. */
const openLines = 60;
/** Lines of a file that are drawn at once; the next come as its reader comes to their end. */
const drawnLines = 300;

function openAtFirst(files: readonly DiffFile[]): ReadonlySet<number> {
  const open = new Set<number>();
  let lines = 0;
  for (const [index, file] of files.entries()) {
    lines += file.lines.length;
    if (lines <= openLines || files.length === 1) open.add(index);
  }
  return open;
}

export function DiffView({ diff }: { diff: string }): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  const files = useMemo(() => readDiff(diff), [diff]);
  const [open, setOpen] = useState(() => openAtFirst(files));
  useKeys({ ']': () => goToHunk(root, 1), '[': () => goToHunk(root, -1) });
  return (
    <div className="diff stack" ref={root}>
      {files.map((file, index) => (
        <FileView
          key={index}
          {...{ file, index }}
          isOpen={open.has(index)}
          onToggle={() => setOpen((before) => toggled(before, index))}
        />
      ))}
    </div>
  );
}

function toggled(before: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(before);
  if (!next.delete(index)) next.add(index);
  return next;
}

interface FileProps {
  file: DiffFile;
  index: number;
  isOpen: boolean;
  onToggle: () => void;
}

function FileView({ file, index, isOpen, onToggle }: FileProps): ReactNode {
  const { name, added, removed, lines } = file;
  const [count, setCount] = useState(drawnLines);
  const isAll = count >= lines.length;
  const numbers = useMemo(() => lineNumbers(lines), [lines]);
  const { id, ref } = useBlock<HTMLDivElement>({
    kind: 'diff',
    shows: isOpen ? String(Math.min(count, lines.length)) : '',
    isCut: !isOpen || !isAll,
    isEndless: isOpen,
    unfold: () => (isOpen ? setCount((before) => Math.max(before, count + drawnLines)) : onToggle()),
  });
  const isRead = useIsSettled(id);
  const isSeen = useReading() !== null && isRead;
  return (
    <>
      <div className="diff-file" data-file={index} ref={ref}>
        <button type="button" className="diff-head cluster" aria-expanded={isOpen} onClick={onToggle}>
          <span className={isOpen ? 'turned-down' : undefined}>
            <Icon name="chevron" />
          </span>
          <bdi className="mono">{name === '' ? text.noName : name}</bdi>
          <span className="meta num" aria-hidden="true">
            {text.lines(added, removed)}
          </span>
          <span className="sr-only">{text.linesSpoken(added, removed)}</span>
          {isSeen && (
            <span className="meta ok">
              <Icon name="granted" /> {text.wasSeen}
            </span>
          )}
        </button>
        {isOpen && (
          <pre tabIndex={0}>
            <code>
              {lines.slice(0, count).map((line, at) => (
                <span key={at} className={`diff-line ${line.kind}`} data-number={numbers[at]}>
                  {line.text === '' ? ' ' : line.text}
                </span>
              ))}
            </code>
          </pre>
        )}
      </div>
      <EndMark id={id} />
    </>
  );
}

function scrollerOf(element: Element): Element {
  for (let here = element.parentElement; here !== null; here = here.parentElement) {
    const { overflowY } = getComputedStyle(here);
    if ((overflowY === 'auto' || overflowY === 'scroll') && here.scrollHeight > here.clientHeight) return here;
  }
  return document.documentElement;
}

/** False: there is no further hunk that way. */
function goToHunk(root: RefObject<HTMLElement | null>, by: 1 | -1): void | false {
  const hunks = [...(root.current?.querySelectorAll<HTMLElement>('.diff-line.hunk') ?? [])];
  const middle = innerHeight / 3;
  const at = hunks.map((hunk) => hunk.getBoundingClientRect().top - middle);
  const next = by > 0 ? at.findIndex((top) => top > 1) : at.findLastIndex((top) => top < -1);
  if (next < 0) return false;
  const hunk = hunks[next];
  if (hunk !== undefined) scrollerOf(hunk).scrollBy({ top: at[next] ?? 0 });
  return undefined;
}
