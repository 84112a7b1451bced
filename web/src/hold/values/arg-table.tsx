// Arguments to read: proposed and sent side by side, each change in words, what is unchanged collapsed when it is long.
import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import { Change, labelAt, Value } from './arg-cells.tsx';
import type { Dict } from './dict.ts';
import { LastMark, useLastCall } from './last-call.tsx';
import { type ArgRow, diffArgs, isChanged } from './value-diff.ts';
import { visible } from '../../base/text/visible.ts';

interface Props {
  proposed: Dict;
  sent: Dict;
  schema: Dict;
}

const collapseFrom = 8;

export function ArgTable({ proposed, sent, schema }: Props): ReactNode {
  const words = strings.hold;
  const rows = diffArgs(proposed, sent);
  const against = useLastCall();
  const hasDiff = rows.some(isChanged);
  if (rows.length === 0) return <p className="meta">{words.noArguments}</p>;

  const draw = (row: ArgRow): ReactNode => (
    <tr key={row.path.join('.')} data-change={row.kind} data-last={against(row.path)}>
      <th scope="row" dir="auto">
        {visible(labelAt(schema, row.path))}
      </th>
      <td>
        <Value value={row.before} />
        <LastMark path={row.path} />
      </td>
      {hasDiff && (
        <td>
          {(row.kind === 'same' || row.kind === 'added' || row.delta !== null) && <Value value={row.now} />}
          {row.kind !== 'same' && (
            <p className="arg-change">
              <Change row={row} />
            </p>
          )}
        </td>
      )}
    </tr>
  );

  const [changed, same] = [rows.filter(isChanged), rows.filter((row) => !isChanged(row))];
  const isLong = rows.length > collapseFrom && changed.length > 0;
  const head = (
    <thead>
      <tr>
        <th scope="col">{words.argument}</th>
        <th scope="col">{words.proposed}</th>
        {hasDiff && <th scope="col">{words.sent}</th>}
      </tr>
    </thead>
  );
  return (
    <>
      <ReadBlock as="table" kind="arguments" className={hasDiff ? 'args diff' : 'args'}>
        {head}
        <tbody>{(isLong ? changed : rows).map(draw)}</tbody>
      </ReadBlock>
      {isLong && same.length > 0 && (
        <details className="fold-inline">
          <summary>{words.unchanged(same.length)}</summary>
          <ReadBlock as="table" kind="arguments" className="args">
            {head}
            <tbody>{same.map(draw)}</tbody>
          </ReadBlock>
        </details>
      )}
    </>
  );
}
