// A long table in sections, each a block of its own: the next is drawn as its reader comes to the end of the last.
import { memo, type ReactNode, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import { EndMark, ReadBlock, useBlock } from './read-block.tsx';
import { useIsSettled } from './reading-boundary.tsx';
import type { PartKind } from './reading.ts';
import type { Section } from './sections.ts';

/** Keeps its identity as long as it draws the same. */
type Draw<T> = (rows: readonly T[], from: number) => ReactNode;

interface Drawn<T> {
  kind: PartKind;
  draw: Draw<T>;
}

interface Props<T> extends Drawn<T> {
  sections: readonly Section<T>[];
  /** Around the sections. */
  frame?: (inner: ReactNode) => ReactNode;
}

export function RowSections<T>({ sections, kind, draw, frame = (inner) => inner }: Props<T>): ReactNode {
  const [count, setCount] = useState(1);
  const drawn = sections.slice(0, count);
  const [first, last] = [drawn.at(-1), sections.at(-1)];
  const [to, all] = [first, last].map((one) => (one === undefined ? 0 : one.from + one.rows.length));
  return (
    <>
      {frame(drawn.map((section) => <OneSection key={section.from} {...{ section, kind, draw }} />))}
      {drawn.length < sections.length && (
        <ReadBlock
          as="p"
          kind={kind}
          className="meta"
          shows={String(count)}
          isCut
          isEndless
          unfold={() => setCount((before) => Math.max(before, count + 1))}
        >
          {strings.seen.rowsShown(to ?? 0, all ?? 0)}
        </ReadBlock>
      )}
    </>
  );
}

const OneSection = memo(DrawnSection) as typeof DrawnSection;

function DrawnSection<T>({ section, kind, draw }: Drawn<T> & { section: Section<T> }): ReactNode {
  const { id, ref } = useBlock<HTMLDivElement>({ kind });
  const isRead = useIsSettled(id);
  return (
    <>
      <div ref={ref} className={isRead ? 'rows is-read' : 'rows'}>
        {draw(section.rows, section.from)}
      </div>
      <EndMark id={id} />
    </>
  );
}
