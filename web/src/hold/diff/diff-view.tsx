// A diff as people read one: file by file, what came in green and what went in red, and which files were seen to their end.
import { type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useKeys } from '../../base/page/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { useMustSee } from './must-see.tsx';
import { type DiffFile, readDiff } from './read-diff.ts';
import './diff.css';

const text = strings.seen;
/** Files that are open, from the first: what is longer is opened by its reader. */
const openLines = 60;

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
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const files = useMemo(() => readDiff(diff), [diff]);
  const [open, setOpen] = useState(() => openAtFirst(files));
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set());
  const isAll = seen.size >= files.length;
  const label = files.length === 1 ? text.restOfFile : text.files(seen.size, files.length);
  const partOf = (index: number): HTMLElement | null => root.current?.querySelector(`[data-file="${index}"]`) ?? null;
  const show = (): void => {
    const next = files.findIndex((_, index) => !seen.has(index));
    if (next < 0) return;
    setOpen((before) => new Set([...before, next]));
    requestAnimationFrame(() => goOn(partOf(next)));
  };
  useMustSee(id, isAll ? null : label, show);
  useKeys({ ']': () => goToHunk(root, 1), '[': () => goToHunk(root, -1) });
  return (
    <div className="diff stack" ref={root}>
      {files.map((file, index) => (
        <FileView
          key={index}
          {...{ file, index }}
          isOpen={open.has(index)}
          isSeen={seen.has(index)}
          onToggle={() => setOpen((before) => toggled(before, index))}
          onSeen={() => setSeen((before) => new Set([...before, index]))}
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
  isSeen: boolean;
  onToggle: () => void;
  onSeen: () => void;
}

function FileView({ file, index, isOpen, isSeen, onToggle, onSeen }: FileProps): ReactNode {
  const { name, added, removed, lines } = file;
  const end = useEndSeen(isOpen && !isSeen, onSeen);
  return (
    <div className="diff-file" data-file={index}>
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
            {lines.map((line, at) => (
              <span key={at} className={`diff-line ${line.kind}`}>
                {line.text === '' ? ' ' : line.text}
              </span>
            ))}
            <span ref={end} />
          </code>
        </pre>
      )}
    </div>
  );
}

/** Once its end was on the screen, above the bar that covers the foot of the page. */
function useEndSeen(isWanted: boolean, onSeen: () => void): RefObject<HTMLSpanElement | null> {
  const end = useRef<HTMLSpanElement>(null);
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    const element = end.current;
    if (!isWanted || element === null) return undefined;
    const bar = document.querySelector('.decide')?.getBoundingClientRect().height ?? 0;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
      },
      { rootMargin: `0px 0px -${Math.round(Math.min(bar, innerHeight / 2))}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isWanted]);
  return end;
}

function scrollerOf(element: Element): Element {
  for (let here = element.parentElement; here !== null; here = here.parentElement) {
    const { overflowY } = getComputedStyle(here);
    if ((overflowY === 'auto' || overflowY === 'scroll') && here.scrollHeight > here.clientHeight) return here;
  }
  return document.documentElement;
}

/** To its beginning, and from there on a screen at a time: nothing is jumped over. */
function goOn(file: HTMLElement | null): void {
  if (file === null) return;
  const { top } = file.getBoundingClientRect();
  const isBegun = top < innerHeight / 3;
  if (isBegun) scrollerOf(file).scrollBy({ top: innerHeight * 0.5 });
  else file.scrollIntoView({ block: 'start' });
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
