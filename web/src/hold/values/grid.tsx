// A table of values as they came.
import { type ReactNode, useCallback, useMemo } from 'react';
import { visible } from '../../base/text/visible.ts';
import { isLongText, LongText } from '../reading/long-text.tsx';
import { RowSections } from '../reading/row-sections.tsx';
import { sectionsOf } from '../reading/sections.ts';
import { columnChars, headsOf, type Table } from './tables.ts';
import './attached.css';

const isNumber = (text: string): boolean => /^-?\d[\d.,]*\s?%?$/u.test(text);

/** A column of numbers is set to the right, its name with it. */
const isNumeric = ({ rows }: Table, index: number): boolean =>
  rows.every((row) => row[index] === '' || isNumber(row[index] ?? '')) && rows.some((row) => row[index] !== '');

const charsOf = (row: readonly string[]): number => row.reduce((sum, cell) => sum + cell.length, 0);

/** `isNamed`: its columns are names of fields, to be read as words. */
export function Grid({ table, label, isNamed }: { table: Table; label: string; isNamed: boolean }): ReactNode {
  const numeric = useMemo(() => table.columns.map((_, index) => isNumeric(table, index)), [table]);
  const sections = useMemo(() => sectionsOf(table.rows, charsOf), [table]);
  // Sections are laid out apart from each other, so their columns cannot follow their cells.
  const widths = useMemo(() => (sections.length > 1 ? columnChars(table) : null), [sections, table]);
  const all = (widths ?? []).reduce((sum, width) => sum + width, 0);
  const heads = useMemo(
    () => (isNamed ? headsOf(table) : table.columns.map((name) => visible(name))),
    [table, isNamed],
  );
  // What a row is about, and so many numbers: on a phone it has a line of its own.
  const isLed = heads.length > 3 && numeric[0] === false;
  const draw = useCallback(
    (rows: readonly string[][]) => (
      <table
        className={widths !== null ? 'attached-data in-sections' : isLed ? 'attached-data led' : 'attached-data'}
        style={isLed ? { ['--parts' as string]: heads.length - 1 } : undefined}
      >
        {widths !== null && (
          <colgroup>
            {widths.map((width, index) => (
              <col key={index} style={{ width: `${(100 * width) / all}%` }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {heads.map((name, index) => (
              <th key={index} scope="col" dir="auto" className={numeric[index] === true ? 'num' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
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
    ),
    [heads, numeric, widths, all, isLed],
  );
  const frame = (inner: ReactNode): ReactNode => (
    <div className="md-scroll" tabIndex={0} role="group" aria-label={label}>
      {widths === null ? inner : <div style={{ minWidth: `${all}ch` }}>{inner}</div>}
    </div>
  );
  return <RowSections kind="table" sections={sections} draw={draw} frame={frame} />;
}
