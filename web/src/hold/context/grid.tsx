// A table of values as they came.
import type { ReactNode } from 'react';
import { visible } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { humanise } from '../values/humanise.ts';
import type { Table } from './tables.ts';

const isNumber = (text: string): boolean => /^-?\d[\d.,]*$/u.test(text);

/** A column of numbers is set to the right, its name with it. */
const isNumeric = ({ rows }: Table, index: number): boolean =>
  rows.every((row) => row[index] === '' || isNumber(row[index] ?? '')) && rows.some((row) => row[index] !== '');

/** `isNamed`: its columns are names of fields, to be read as words. */
export function Grid({ table, label, isNamed }: { table: Table; label: string; isNamed: boolean }): ReactNode {
  return (
    <div className="md-scroll" tabIndex={0} role="group" aria-label={label}>
      <table className="attached-data">
        <thead>
          <tr>
            {table.columns.map((name, index) => (
              <th key={index} scope="col" dir="auto" className={isNumeric(table, index) ? 'num' : undefined}>
                {isNamed ? humanise(visible(name)) : visible(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} dir="auto" className={isNumeric(table, index) ? 'num' : 'asis'}>
                  {visible(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!table.isAll && <p className="meta">{strings.hold.moreData}</p>}
    </div>
  );
}
