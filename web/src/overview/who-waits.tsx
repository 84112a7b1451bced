// Who waits on whom now: bands from agents by policies to those asked, red for what is overdue; the same as a table.
import type { ReactNode } from 'react';
import type { Overview } from '../../../src/contract/views/operate.ts';
import { agentTitle, shortEntry } from '../base/account/names.ts';
import { useIsPhone } from '../base/page/media.ts';
import { Link } from '../base/router/router.ts';
import { oneLine } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { Drawn } from './charts.tsx';
import { list } from './overview-lists.tsx';
import { hasWaitPicture, waitBands } from './wait-bands.ts';

const words = strings.overview;
const width = 900;
const bar = 10;
/** Left of the first column there is room for the longest title. */
const xs = [260, 500, 740] as const;
const nameChars = 34;
const heightFor = (rows: number): number => Math.min(420, Math.max(120, rows * 34));

export function WhoWaits({ overview: { waits } }: { overview: Overview }): ReactNode {
  // On a phone its letters would be too small to read.
  const isPhone = useIsPhone();
  if (waits.byAgent.length === 0) return null;
  const isDrawn = !isPhone && hasWaitPicture(waits);
  return (
    <section className="picture box stack" aria-labelledby="overview-waits">
      <h2 id="overview-waits" className="cluster">
        {words.waits}
      </h2>
      {isDrawn && <Bands waits={waits} />}
      {isDrawn ? (
        <details className="fold-inline">
          <summary>{words.asTable}</summary>
          <Table waits={waits} />
        </details>
      ) : (
        <Table waits={waits} />
      )}
    </section>
  );
}

const nameOf = (column: number, name: string): string =>
  column === 0 ? agentTitle(name) : column === 1 ? name : shortEntry(name, words.requester);

function Bands({ waits }: Pick<Overview, 'waits'>): ReactNode {
  const { nodes, bands } = waitBands(waits);
  const most = Math.max(...[0, 1, 2].map((column) => nodes.filter((node) => node.column === column).length));
  const height = heightFor(most);
  const y = (share: number): number => 8 + share * (height - 16);
  return (
    <Drawn width={width} height={height}>
      {bands.map(({ column, leaves, arrives, late }, index) => {
        const [x1, x2] = [xs[column] + bar, xs[column === 0 ? 1 : 2]];
        const middle = (x1 + x2) / 2;
        const path = (until: number): string => {
          const [a, b] = [leaves[0], leaves[0] + (leaves[1] - leaves[0]) * until].map(y);
          const [c, d] = [arrives[0], arrives[0] + (arrives[1] - arrives[0]) * until].map(y);
          return `M${x1} ${a}C${middle} ${a} ${middle} ${c} ${x2} ${c}V${d}C${middle} ${d} ${middle} ${b} ${x1} ${b}Z`;
        };
        return (
          <g key={index}>
            <path className="wait-band" d={path(1)} />
            {late > 0 && <path className="wait-late" d={path(late)} />}
          </g>
        );
      })}
      {nodes.map(({ column, name, count, overdue, from, to }) => (
        <g key={`${column} ${name}`}>
          <rect
            className={overdue > 0 ? 'wait-node late' : 'wait-node'}
            x={xs[column]}
            y={y(from)}
            width={bar}
            height={Math.max(2, y(to) - y(from))}
          />
          <text
            x={column === 0 ? xs[0] - 8 : xs[column] + bar + 8}
            y={(y(from) + y(to)) / 2 + 4}
            textAnchor={column === 0 ? 'end' : 'start'}
          >
            {`${oneLine(nameOf(column, name), nameChars)} ${count}`}
          </text>
        </g>
      ))}
    </Drawn>
  );
}

function Table({ waits: { byAgent, byEntry } }: Pick<Overview, 'waits'>): ReactNode {
  const rows = byAgent.map(({ agent, policy, count, overdue }) => ({
    agent,
    policy,
    count,
    overdue,
    whom: byEntry.filter((one) => one.policy === policy).map(({ entry }) => nameOf(2, entry)),
  }));
  return (
    <table className="waits-table">
      <thead>
        <tr>
          {words.waitColumns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ agent, policy, whom, count, overdue }) => (
          <tr key={`${agent} ${policy}`}>
            <td>{agentTitle(agent)}</td>
            <td>{policy}</td>
            <td>{whom.join(', ')}</td>
            <td className="num">
              <Link to={list({ view: 'all', agent, policy })}>{count}</Link>
            </td>
            <td className={overdue > 0 ? 'num danger' : 'num'}>{overdue}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
