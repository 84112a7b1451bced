// What the agent attached to its question: data as a table, pictures and texts as they are, other files to download.
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import type { ShownFile } from '../../../../src/contract/holds/attachment.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { visible } from '../../base/text/visible.ts';
import { isDict } from '../values/dict.ts';
import { humanise } from '../values/humanise.ts';
import { dataRows } from './data-rows.ts';
import { fileView, sizeText } from './file-view.ts';
import { Grid } from './grid.tsx';
import { readCsv, type Table, tableOf } from './tables.ts';
import { webAddress } from '../text/web-address.ts';

export function Attachments({ hold }: { hold: Pick<HoldView, 'context'> }): ReactNode {
  const { data, files } = hold.context;
  return (
    <>
      {data.map((one) => (
        <DataTable key={one.id} data={one.data} />
      ))}
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

/** Lists of like objects are tables of their own, each under its name; the rest is one row a value. */
function DataTable({ data }: { data: unknown }): ReactNode {
  const whole = tableOf(data);
  if (whole !== null) return <Grid table={whole} label={strings.hold.data} isNamed />;
  const named = isDict(data)
    ? Object.entries(data).flatMap(([name, value]): [string, Table][] => {
        const table = tableOf(value);
        return table === null ? [] : [[name, table]];
      })
    : [];
  const rest =
    isDict(data) && named.length > 0
      ? Object.fromEntries(Object.entries(data).filter(([name]) => !named.some(([one]) => one === name)))
      : data;
  return (
    <>
      {!(isDict(rest) && named.length > 0 && Object.keys(rest).length === 0) && <DataRows data={rest} />}
      {named.map(([name, table]) => (
        <div key={name}>
          <p className="meta" dir="auto">
            {humanise(visible(name))}
          </p>
          <Grid table={table} label={humanise(visible(name))} isNamed />
        </div>
      ))}
    </>
  );
}

function DataRows({ data }: { data: unknown }): ReactNode {
  const { rows, isAll } = dataRows(data);
  return (
    <div className="md-scroll" tabIndex={0} role="group" aria-label={strings.hold.data}>
      <table className="attached-data">
        <tbody>
          {rows.map(({ name, text }, index) => (
            <tr key={`${index} ${name}`}>
              {name !== '' && (
                <th scope="row" dir="auto">
                  {name.split('.').map((key, at) => (
                    <Fragment key={at}>
                      {at > 0 && (
                        <>
                          .<wbr />
                        </>
                      )}
                      {visible(key)}
                    </Fragment>
                  ))}
                </th>
              )}
              <td dir="auto" className="asis">
                {visible(text)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isAll && <p className="meta">{strings.hold.moreData}</p>}
    </div>
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
