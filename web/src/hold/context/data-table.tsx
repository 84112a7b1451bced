// Data of an agent as tables.
import { Fragment, type ReactNode, useMemo } from 'react';
import { visible } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { isLongText, LongText } from '../reading/long-text.tsx';
import { RowSections } from '../reading/row-sections.tsx';
import { sectionsOf } from '../reading/sections.ts';
import { isDict } from '../values/dict.ts';
import { humanise } from '../values/humanise.ts';
import { type DataRow, dataRows } from './data-rows.ts';
import { Grid } from '../values/grid.tsx';
import { type Table, tableOf } from '../values/tables.ts';

/** Lists of like objects are tables of their own, each under its name; the rest is one row a value. */
export function DataTable({ data }: { data: unknown }): ReactNode {
  const whole = useMemo(() => tableOf(data), [data]);
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

const charsOf = ({ name, text }: DataRow): number => name.length + text.length;

function DataRows({ data }: { data: unknown }): ReactNode {
  const sections = useMemo(() => sectionsOf(dataRows(data), charsOf), [data]);
  const frame = (inner: ReactNode): ReactNode => (
    <div className="md-scroll" tabIndex={0} role="group" aria-label={strings.hold.data}>
      {inner}
    </div>
  );
  return <RowSections kind="data" sections={sections} draw={sections.length > 1 ? drawApart : drawAll} frame={frame} />;
}

const drawAll = (rows: readonly DataRow[]): ReactNode => <Rows rows={rows} className="attached-data" />;
const drawApart = (rows: readonly DataRow[]): ReactNode => <Rows rows={rows} className="attached-data in-sections" />;

function Rows({ rows, className }: { rows: readonly DataRow[]; className: string }): ReactNode {
  return (
    <table className={className}>
      <tbody>
        {rows.map(({ name, text }, index) => (
          <tr key={`${index} ${name}`}>
            {name !== '' && (
              <th scope="row" dir="auto">
                {name.split('.').map((key, at) => (
                  <Fragment key={at}>
                    {at > 0 && ' › '}
                    {humanise(visible(key))}
                  </Fragment>
                ))}
              </th>
            )}
            <td dir="auto" className="asis">
              {isLongText(text) ? <LongText kind="data" text={text} /> : visible(text)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
