// Arguments to read: proposed and sent side by side, each change in words, what is unchanged collapsed when it is long.
import { type ReactNode, useCallback, useMemo } from 'react';
import { strings } from '../../i18n/strings.ts';
import { RowSections } from '../reading/row-sections.tsx';
import { sectionsOf } from '../reading/sections.ts';
import { Change, labelAt, Value } from './arg-cells.tsx';
import type { Dict } from './dict.ts';
import { LastMark, useLastCall } from './last-call.tsx';
import { type ArgRow, diffArgs, formatValue, isChanged } from './value-diff.ts';
import { visible } from '../../base/text/visible.ts';

interface Props {
  proposed: Dict;
  sent: Dict;
  schema: Dict;
}

const collapseFrom = 8;

const charsOf = ({ before, now }: ArgRow): number => formatValue(before).length + formatValue(now).length;

export function ArgTable({ proposed, sent, schema }: Props): ReactNode {
  const words = strings.hold;
  const rows = useMemo(() => diffArgs(proposed, sent), [proposed, sent]);
  const hasDiff = rows.some(isChanged);
  const draw = useCallback(
    (some: readonly ArgRow[]): ReactNode => <Rows rows={some} {...{ schema, sent, hasDiff }} />,
    [schema, sent, hasDiff],
  );
  const [changed, same] = useMemo(() => [rows.filter(isChanged), rows.filter((row) => !isChanged(row))], [rows]);
  const isLong = rows.length > collapseFrom && changed.length > 0;
  const first = useMemo(() => sectionsOf(isLong ? changed : rows, charsOf), [isLong, changed, rows]);
  const rest = useMemo(() => sectionsOf(isLong ? same : [], charsOf), [isLong, same]);
  if (rows.length === 0) return <p className="meta">{words.noArguments}</p>;
  return (
    <>
      <RowSections kind="arguments" sections={first} draw={draw} />
      {rest.length > 0 && (
        <details className="fold-inline">
          <summary>{words.unchanged(same.length)}</summary>
          <RowSections kind="arguments" sections={rest} draw={draw} />
        </details>
      )}
    </>
  );
}

interface RowsProps extends Pick<Props, 'schema' | 'sent'> {
  rows: readonly ArgRow[];
  hasDiff: boolean;
}

function Rows({ rows, schema, sent, hasDiff }: RowsProps): ReactNode {
  const words = strings.hold;
  const against = useLastCall();
  return (
    <table className={hasDiff ? 'args diff' : 'args'}>
      <thead>
        <tr>
          <th scope="col">{words.argument}</th>
          <th scope="col">{words.proposed}</th>
          {hasDiff && <th scope="col">{words.sent}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.path.join('.')} data-change={row.kind} data-last={against(row.path)}>
            <th scope="row" dir="auto">
              {visible(labelAt(schema, row.path))}
            </th>
            <td>
              <Value value={row.before} path={row.path} values={sent} />
              <LastMark path={row.path} values={sent} />
            </td>
            {hasDiff && (
              <td>
                {(row.kind === 'same' || row.kind === 'added' || row.delta !== null) && (
                  <Value value={row.now} path={row.path} values={sent} />
                )}
                {row.kind !== 'same' && (
                  <p className="arg-change">
                    <Change row={row} />
                  </p>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
