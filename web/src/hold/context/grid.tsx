// A table of values as they came.
import { type ReactNode, useMemo } from 'react';
import { visible } from '../../base/text/visible.ts';
import { useDrawnRows } from '../reading/drawn-rows.ts';
import { isLongText, LongText } from '../reading/long-text.tsx';
import { ReadBlock } from '../reading/read-block.tsx';
import { humanise } from '../values/humanise.ts';
import type { Table } from './tables.ts';

const isNumber = (text: string): boolean => /^-?\d[\d.,]*$/u.test(text);

/** A column of numbers is set to the right, its name with it. */
const isNumeric = ({ rows }: Table, index: number): boolean =>
  rows.every((row) => row[index] === '' || isNumber(row[index] ?? '')) && rows.some((row) => row[index] !== '');

/** `isNamed`: its columns are names of fields, to be read as words. */
export function Grid({ table, label, isNamed }: { table: Table; label: string; isNamed: boolean }): ReactNode {
  const numeric = useMemo(() => table.columns.map((_, index) => isNumeric(table, index)), [table]);
  const { drawn, ...reads } = useDrawnRows(table.rows);
  return (
    <ReadBlock kind="table" className="md-scroll" tabIndex={0} role="group" aria-label={label} {...reads}>
      <table className="attached-data">
        <thead>
          <tr>
            {table.columns.map((name, index) => (
              <th key={index} scope="col" dir="auto" className={numeric[index] === true ? 'num' : undefined}>
                {isNamed ? humanise(visible(name)) : visible(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} dir="auto" className={numeric[index] === true ? 'num' : 'asis'}>
                  {isLongText(cell) ? <LongText kind="table" text={cell} /> : visible(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ReadBlock>
  );
}
