// What the agent attached to its question: data as a table, pictures and texts as they are, other files to download.
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { ShownFile } from '../../../../src/contract/holds/attachment.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { visible } from '../../base/text/visible.ts';
import { lazyPart } from '../../base/live/lazy-part.ts';
import { LongText } from '../reading/long-text.tsx';
import { ReadBlock, useBlock } from '../reading/read-block.tsx';
import { useReading } from '../reading/reading-boundary.tsx';
import { DataTable } from './data-table.tsx';
import { fileView, sizeText } from './file-view.ts';
import { Grid } from '../values/grid.tsx';
import { readCsv } from '../values/tables.ts';
import { webAddress } from '../text/web-address.ts';

const Screens = lazyPart(async () => (await import('./screens.tsx')).Screens);

export function Attachments({ hold }: { hold: Pick<HoldView, 'context'> }): ReactNode {
  const { data, files } = hold.context;
  const drawn = data.filter(({ name }) => name.startsWith('screen '));
  const tables = (some: typeof data): ReactNode => some.map((one) => <DataTable key={one.id} data={one.data} />);
  return (
    <>
      {drawn.length > 0 && (
        <Suspense fallback={tables(drawn)}>
          <Screens data={drawn} />
        </Suspense>
      )}
      {tables(data.filter((one) => !drawn.includes(one)))}
      {files.length > 0 && (
        <ReadBlock as="ul" kind="file" className="attached-files stack" aria-label={strings.hold.files}>
          {files.map((file) => (
            <li key={file.id} className="stack">
              <File file={file} />
            </li>
          ))}
        </ReadBlock>
      )}
    </>
  );
}

function File({ file }: { file: ShownFile }): ReactNode {
  const { name, url, uri, size, omitted } = file;
  const view = fileView(file);
  const [isLost, setLost] = useState(false);
  const reading = useReading();
  const isShown = (view === 'image' || view === 'text') && !isLost;
  const { id, ref } = useBlock<HTMLDivElement>({ kind: 'file', isNamed: isShown ? null : visible(name) });
  const opened = (): void => reading?.opened(id);
  const about = [size === null ? '' : sizeText(size), omitted === null ? '' : strings.hold.notHere[omitted]];
  return (
    <>
      <div className="attached-file cluster" ref={ref}>
        <span dir="auto">{visible(name)}</span>
        <span className="meta">{about.filter((text) => text !== '').join(' · ')}</span>
        {url !== null && (
          <a href={url} download={name} aria-label={strings.hold.downloadFile(visible(name))} onClick={opened}>
            {strings.hold.download}
          </a>
        )}
      </div>
      {view === 'link' && uri !== null && (
        <a
          href={webAddress(uri)?.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          dir="auto"
          className="asis"
          onClick={opened}
        >
          {visible(uri)}
        </a>
      )}
      {isShown && view === 'image' && url !== null && (
        <FileImage url={url} name={visible(name)} onLost={() => setLost(true)} />
      )}
      {isShown && view === 'text' && url !== null && (
        <FileText url={url} name={visible(name)} isCsv={isCsv(file)} onLost={() => setLost(true)} />
      )}
    </>
  );
}

interface ViewProps {
  url: string;
  name: string;
  /** It could not be read: it is named as not opened then. */
  onLost: () => void;
}

function FileImage({ url, name, onLost }: ViewProps): ReactNode {
  const [isLoaded, setLoaded] = useState(false);
  return (
    <ReadBlock kind="file" shows={String(isLoaded)} isCut={!isLoaded}>
      <img
        className="attached-image"
        src={url}
        alt={name}
        loading="lazy"
        onLoad={() => setLoaded(true)}
        onError={onLost}
      />
    </ReadBlock>
  );
}

const isCsv = ({ name, mediaType }: ShownFile): boolean => mediaType.startsWith('text/csv') || /\.[ct]sv$/iu.test(name);

function FileText({ url, name, isCsv: mayBeTable, onLost }: ViewProps & { isCsv: boolean }): ReactNode {
  const [text, setText] = useState<string | null>(null);
  const lost = useRef(onLost);
  useEffect(() => {
    const stop = new AbortController();
    void fetch(url, { signal: stop.signal })
      .then((response) => (response.ok ? response.text() : Promise.reject(new Error(String(response.status)))))
      .then(setText)
      .catch(() => {
        if (!stop.signal.aborted) lost.current();
      });
    return () => stop.abort();
  }, [url]);
  const table = useMemo(() => (mayBeTable && text !== null ? readCsv(text) : null), [mayBeTable, text]);
  if (text === null)
    return (
      <ReadBlock kind="file" isCut className="meta">
        {strings.app.loading}
      </ReadBlock>
    );
  if (table !== null) return <Grid table={table} label={name} isNamed={false} />;
  return <LongText kind="file" text={text} className="attached-text" />;
}
