// Arguments as a table: proposed and sent side by side, each change in words, what is unchanged collapsed when it is long.
import { type ReactNode, useState } from 'react';
import { IconButton } from '../../ui/controls.tsx';
import { strings } from '../../i18n/strings.ts';
import { ArgEditor } from './arg-editor.tsx';
import { Grid } from '../context/grid.tsx';
import { tableOf } from '../context/tables.ts';
import { type Dict, dictOf, withValue } from './dict.ts';
import { DiffText } from './diff-text.tsx';
import { labelOf } from './humanise.ts';
import { LastMark, useLastCall } from './last-call.tsx';
import { type ArgRow, diffArgs, formatValue, isChanged } from './value-diff.ts';
import { visible } from '../../base/text/visible.ts';

interface Props {
  proposed: Dict;
  sent: Dict;
  schema: Dict;
  /** Left out: to be read only. */
  onChange?: (next: Dict) => void;
  onWrong?: (wrong: ReadonlySet<string>) => void;
}

const collapseFrom = 8;

export function ArgTable({ proposed, sent, schema, onChange, onWrong }: Props): ReactNode {
  const words = strings.hold;
  const reportWrong = useWrong(onWrong);
  const rows = diffArgs(proposed, sent);
  const isEditable = onChange !== undefined;
  const hasDiff = isEditable || rows.some(isChanged);
  if (rows.length === 0) return <p className="meta">{words.noArguments}</p>;

  const change = onChange && ((path: readonly string[], value: unknown) => onChange(withValue(sent, path, value)));
  const draw = (row: ArgRow): ReactNode => (
    <Row key={row.path.join('.')} {...{ row, schema, hasDiff, reportWrong }} onChange={change} />
  );
  const [changed, same] = [rows.filter(isChanged), rows.filter((row) => !isChanged(row))];
  const isLong = !isEditable && rows.length > collapseFrom && changed.length > 0;
  const head = (
    <thead>
      <tr>
        <th scope="col">{words.argument}</th>
        <th scope="col">{words.proposed}</th>
        {hasDiff && <th scope="col">{isEditable ? words.youSend : words.wentOut}</th>}
      </tr>
    </thead>
  );
  return (
    <>
      <table className={hasDiff ? 'args diff' : 'args'}>
        {head}
        <tbody>{(isLong ? changed : rows).map(draw)}</tbody>
      </table>
      {isLong && same.length > 0 && (
        <details className="fold-inline">
          <summary>{words.unchanged(same.length)}</summary>
          <table className="args">
            {head}
            <tbody>{same.map(draw)}</tbody>
          </table>
        </details>
      )}
    </>
  );
}

/** Keeps which values cannot be read as they are typed. */
function useWrong(onWrong: Props['onWrong']): (path: string, isWrong: boolean) => void {
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  return (path, isWrong) => {
    if (wrong.has(path) === isWrong) return;
    const next = new Set(wrong);
    if (isWrong) next.add(path);
    else next.delete(path);
    setWrong(next);
    onWrong?.(next);
  };
}

interface RowProps {
  row: ArgRow;
  schema: Dict;
  hasDiff: boolean;
  onChange: ((path: readonly string[], value: unknown) => void) | undefined;
  reportWrong: (path: string, isWrong: boolean) => void;
}

function Row({ row, schema, hasDiff, onChange, reportWrong }: RowProps): ReactNode {
  const against = useLastCall();
  const label = labelAt(schema, row.path);
  return (
    <tr data-change={row.change} data-last={against(row.path)}>
      <th scope="row" dir="auto">
        {visible(label)}
      </th>
      <td>
        <Value value={row.proposed} />
        <LastMark path={row.path} />
      </td>
      {hasDiff && (
        <td>
          {onChange !== undefined ? (
            <ArgEditor
              name={label}
              proposed={row.proposed}
              value={row.sent}
              schema={schemaAt(schema, row.path)}
              onChange={(value) => onChange(row.path, value)}
              onWrong={(isWrong) => reportWrong(row.path.join('.'), isWrong)}
            />
          ) : row.change === 'same' || row.change === 'added' || row.delta !== null ? (
            <Value value={row.sent} />
          ) : null}
          {row.change !== 'same' && (
            <p className="arg-change">
              <Change row={row} />
              {onChange !== undefined && (
                <IconButton
                  icon="undo"
                  label={strings.hold.revert(label)}
                  onClick={() => onChange(row.path, row.proposed)}
                />
              )}
            </p>
          )}
        </td>
      )}
    </tr>
  );
}

/** As people write numbers; what is edited stands as it is sent. */
const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20, useGrouping: 'always' });

const isPlain = (item: unknown): boolean => typeof item === 'string' || typeof item === 'number';

function Value({ value }: { value: unknown }): ReactNode {
  if (value === undefined) return <span className="meta">{strings.hold.noValue}</span>;
  if (typeof value === 'boolean') return value ? strings.hold.yes : strings.hold.no;
  if (typeof value === 'number') return <span className="arg-text num">{grouped.format(value)}</span>;
  if (Array.isArray(value) && value.length > 0 && value.every(isPlain)) {
    return (
      <span className="arg-text" dir="auto">
        {value.map((item) => visible(String(item))).join(', ')}
      </span>
    );
  }
  const table = tableOf(value);
  if (table !== null) return <Grid table={table} label={strings.hold.data} isNamed />;
  const text = visible(formatValue(value));
  return typeof value === 'string' ? (
    <span className="arg-text" dir="auto">
      {text}
    </span>
  ) : (
    <code className="arg-text num">{text}</code>
  );
}

function Change({ row }: { row: ArgRow }): ReactNode {
  const words = strings.hold;
  if (row.change === 'added') return <span className="changed">{words.addedWord}</span>;
  if (row.change === 'removed') return <span className="changed">{words.removedWord}</span>;
  if (row.delta !== null) return <span className="changed num">{words.changedBy(row.delta)}</span>;
  return (
    <span className="changed">
      {words.changedWord} <DiffText before={formatValue(row.proposed)} after={formatValue(row.sent)} />
    </span>
  );
}

function schemaAt(schema: Dict, path: readonly string[]): Dict {
  return path.reduce<Dict>((here, key) => dictOf(dictOf(here['properties'])[key]), schema);
}

function labelAt(schema: Dict, path: readonly string[]): string {
  return path.map((key, index) => labelOf(key, schemaAt(schema, path.slice(0, index + 1)))).join(' › ');
}
