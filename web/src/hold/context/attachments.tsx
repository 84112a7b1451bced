// What the agent attached to its question: data as a table, pictures and texts as they are, other files to download.
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { ShownFile } from '../../../../src/contract/holds/attachment.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { visible } from '../../base/text/visible.ts';
import { lazyPart } from '../../base/live/lazy-part.ts';
import { DataTable } from './data-table.tsx';
import { fileView, sizeText } from './file-view.ts';
import { Grid } from './grid.tsx';
import { readCsv } from './tables.ts';
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
        <ul className="attached-files stack" aria-label={strings.hold.files}>
          {files.map((file) => (
            <li key={file.id} className="stack">
              <File file={file} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function File({ file }: { file: ShownFile }): ReactNode {
  const { name, url, uri, size, omitted } = file;
  const view = fileView(file);
  const about = [size === null ? '' : sizeText(size), omitted === null ? '' : strings.hold.notHere[omitted]];
  return (
    <>
      <div className="attached-file cluster">
        <span dir="auto">{visible(name)}</span>
        <span className="meta">{about.filter((text) => text !== '').join(' · ')}</span>
        {url !== null && (
          <a href={url} download={name} aria-label={strings.hold.downloadFile(visible(name))}>
            {strings.hold.download}
          </a>
        )}
      </div>
      {view === 'link' && uri !== null && (
        <a href={webAddress(uri)?.href} target="_blank" rel="noopener noreferrer nofollow" dir="auto" className="asis">
          {visible(uri)}
        </a>
      )}
      {view === 'image' && url !== null && (
        <img className="attached-image" src={url} alt={visible(name)} loading="lazy" />
      )}
      {view === 'text' && url !== null && <FileText url={url} name={visible(name)} isCsv={isCsv(file)} />}
    </>
  );
}

const isCsv = ({ name, mediaType }: ShownFile): boolean => mediaType.startsWith('text/csv') || /\.[ct]sv$/iu.test(name);

function FileText({ url, name, isCsv: mayBeTable }: { url: string; name: string; isCsv: boolean }): ReactNode {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    void fetch(url, { signal: stop.signal })
      .then((response) => (response.ok ? response.text() : null))
      .then(setText, () => undefined);
    return () => stop.abort();
  }, [url]);
  if (text === null) return null;
  const table = mayBeTable ? readCsv(text) : null;
  if (table !== null) return <Grid table={table} label={name} isNamed={false} />;
  return (
    <pre className="attached-text asis" tabIndex={0} dir="auto">
      {visible(text)}
    </pre>
  );
}
