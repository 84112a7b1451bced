// Screens that an agent drew, for reading: nothing in them can be pressed or filled in, and nothing at an address is fetched.
import { type ReactNode, useMemo } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { visible } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { Markdown } from '../text/agent-block.tsx';
import { webAddress } from '../text/web-address.ts';
import { useBlock, ReadBlock } from '../reading/read-block.tsx';
import { ReadingBoundary, useReading } from '../reading/reading-boundary.tsx';
import { DataTable } from './data-table.tsx';
import type { ScreenNode } from './screen.ts';
import { screensOf } from './surfaces.ts';
import './screens.css';

const words = strings.hold;

export function Screens({ data }: Pick<HoldView['context'], 'data'>): ReactNode {
  const { screens, drawn, rest } = useMemo(() => screensOf(data), [data]);
  const tables = (some: typeof data): ReactNode => some.map((one) => <DataTable key={one.id} data={one.data} />);
  return (
    <>
      {screens.map(({ id, root }) => (
        <ReadBlock key={id} kind="data" className="screen stack" role="group" aria-label={words.screen}>
          {draw(root, 0)}
          <p className="meta">{words.screenIsRead}</p>
        </ReadBlock>
      ))}
      {drawn.length > 0 && <Behind>{tables(drawn)}</Behind>}
      {tables(rest)}
    </>
  );
}

/** What lies behind a screen need not be opened, as a file need not; it is named next to the button until then. */
function Behind({ children }: { children: ReactNode }): ReactNode {
  const reading = useReading();
  const { id, ref } = useBlock<HTMLDetailsElement>({ kind: 'data', isNamed: words.screenData });
  return (
    <details ref={ref} onToggle={() => reading?.opened(id)}>
      <summary>{words.screenData}</summary>
      <ReadingBoundary isOn={false}>{children}</ReadingBoundary>
    </details>
  );
}

function draw(node: ScreenNode, key: number): ReactNode {
  switch (node.kind) {
    case 'text':
      return <Words key={key} text={node.text} tone={node.tone} />;
    case 'field':
      return (
        <p key={key} dir="auto">
          <span className="meta">{visible(node.label)}</span> <span className="asis">{valueWords(node.value)}</span>
        </p>
      );
    case 'address':
      return <Address key={key} text={node.text} url={node.url} />;
    case 'rule':
      return <hr key={key} />;
    case 'section':
      return (
        <div key={key} className="screen-card stack">
          {node.title !== '' && <Words text={node.title} tone="title" />}
          {node.children.map(draw)}
        </div>
      );
    default:
      return (
        <div key={key} className={classes[node.kind]}>
          {node.children.map(draw)}
        </div>
      );
  }
}

const classes = { row: 'cluster', column: 'stack', card: 'screen-card stack', button: 'screen-button' };

const valueWords = (value: string | boolean): string =>
  typeof value === 'string' ? visible(value) : value ? words.yes : words.no;

/** No heading of the page's: the agent's text is never in its outline. */
function Words({ text, tone }: { text: string; tone: 'title' | 'body' | 'meta' }): ReactNode {
  if (tone === 'body') return <Markdown text={text} />;
  return (
    <p className={tone === 'title' ? 'screen-title' : 'meta'} dir="auto">
      {visible(text)}
    </p>
  );
}

function Address({ text, url }: { text: string; url: string }): ReactNode {
  const address = webAddress(url);
  return (
    <p dir="auto" className="asis">
      {text === '' ? '' : `${visible(text)} `}
      {address === null ? (
        visible(url)
      ) : (
        <a href={address.href} target="_blank" rel="noopener noreferrer nofollow">
          {visible(url)}
        </a>
      )}
    </p>
  );
}
