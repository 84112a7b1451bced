// The same in tables, each number a way to the questions behind it.
import type { ReactNode } from 'react';
import type { InboxMetrics } from '../../../src/contract/views/inbox.ts';
import { agentTitle } from '../base/account/names.ts';
import { Link } from '../base/router/router.ts';
import { inboxPath, noFilters, type Filters } from '../base/router/routes.ts';
import { strings } from '../i18n/strings.ts';
import { durationWords } from '../base/time/time.ts';
import { useRead } from '../base/live/use-read.ts';
import { PageState } from '../ui/page-state.tsx';

const text = strings.metrics;

export function MetricTables({ days }: { days: number }): ReactNode {
  const { data, error, reread } = useRead<InboxMetrics>(`/api/figures?days=${days}`);
  return (
    <>
      <PageState error={error} hasData={data !== null} onAgain={reread} />
      {data !== null && <Tables metrics={data} days={String(data.days)} />}
    </>
  );
}

interface CountedProps {
  n: number;
  of: Partial<Filters>;
  children?: ReactNode;
}

/** A number, and the way to the questions it counts. */
function Counted({ n, of, children }: CountedProps): ReactNode {
  if (n === 0) return children ?? n;
  return (
    <Link className="counted" to={inboxPath({ ...noFilters, ...of })}>
      {children ?? n}
    </Link>
  );
}

function Cell(props: CountedProps): ReactNode {
  return (
    <td className="num">
      <Counted {...props} />
    </td>
  );
}

function Tables({ metrics, days }: { metrics: InboxMetrics; days: string }): ReactNode {
  const { now, policies, agents } = metrics;
  const tiles = [
    [text.open, now.open, 'open'],
    [text.overdue, now.overdue, 'overdue'],
    [text.unclaimed, now.unclaimed, 'unclaimed'],
    [text.expiring, now.expiringWithinHour, 'expiringWithinHour'],
    [text.reassignAsked, now.reassignAsked, 'reassignAsked'],
  ] as const;
  return (
    <>
      <section aria-labelledby="metrics-now">
        <h2 id="metrics-now">{text.now}</h2>
        <dl className="tiles numbers">
          {tiles.map(([name, count, metric]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">
                <Counted n={count} of={{ view: 'all', figure: metric === 'open' ? '' : metric }} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="metrics-policy">
        <h2 id="metrics-policy">{text.byPolicy}</h2>
        {policies.length === 0 ? <p className="meta">{text.none}</p> : <PolicyTable policies={policies} days={days} />}
      </section>
      <section aria-labelledby="metrics-agent">
        <h2 id="metrics-agent">{text.byAgent}</h2>
        {agents.length === 0 ? <p className="meta">{text.none}</p> : <AgentTable agents={agents} days={days} />}
      </section>
    </>
  );
}

interface TableFrame {
  labelledBy: string;
  first: string;
  columns: string[];
  children: ReactNode;
}

/** A row for each name of the first column; the others are numbers. */
function MetricTable({ labelledBy, first, columns, children }: TableFrame): ReactNode {
  return (
    <div className="scrolls" tabIndex={0} role="group" aria-labelledby={labelledBy}>
      <table>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {columns.map((name) => (
              <th key={name} scope="col" className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function PolicyTable({ policies, days }: { policies: InboxMetrics['policies']; days: string }): ReactNode {
  const times = ['p50', 'p90', 'p99'] as const;
  const columns = [
    text.questions,
    text.open,
    ...times.map((name) => text[name]),
    text.expired,
    text.escalated,
    text.rejected,
  ];
  return (
    <MetricTable labelledBy="metrics-policy" first={text.policy} columns={columns}>
      {policies.map((one) => {
        const every = { view: 'every', policy: one.policy, days } as const;
        const ended = { ...every, view: 'decided' } as const;
        return (
          <tr key={one.policy}>
            <th scope="row">{one.policy}</th>
            <Cell n={one.count} of={every} />
            <Cell n={one.open} of={{ ...every, view: 'all' }} />
            {times.map((name) => (
              <td key={name} className="num">
                {one.decisionMs === null ? (
                  text.never
                ) : (
                  <Counted n={one.decided} of={{ ...ended, figure: 'decided' }}>
                    {durationWords(one.decisionMs[name])}
                  </Counted>
                )}
              </td>
            ))}
            <Cell n={one.expired} of={{ ...ended, figure: 'expired' }} />
            <Cell n={one.escalated} of={{ ...every, figure: 'escalated' }} />
            <Cell n={one.rejected} of={{ ...ended, figure: 'rejected' }}>
              {text.ofAll(percent(one.rejected, one.decided), one.rejected)}
            </Cell>
          </tr>
        );
      })}
    </MetricTable>
  );
}

function AgentTable({ agents, days }: { agents: InboxMetrics['agents']; days: string }): ReactNode {
  return (
    <MetricTable labelledBy="metrics-agent" first={text.agent} columns={[text.tasks, text.asks, text.unchanged]}>
      {agents.map((one) => (
        <tr key={one.agent}>
          <th scope="row">
            <Link to={inboxPath({ ...noFilters, view: 'all', agent: one.agent })}>{agentTitle(one.agent)}</Link>
          </th>
          <td className="num">{one.tasks}</td>
          <Cell n={one.asks} of={{ view: 'every', agent: one.agent, days }}>
            {perTask(one.asks, one.tasks)}
          </Cell>
          <td className="num">
            <Counted
              n={one.approvedUnchanged}
              of={{ view: 'decided', agent: one.agent, days, figure: 'approvedUnchanged' }}
            >
              {percent(one.approvedUnchanged, one.approvals)}
            </Counted>
            {' ('}
            <Counted n={one.approvals} of={{ view: 'decided', agent: one.agent, days, figure: 'approvals' }} />)
            {candidate(one.approvedUnchanged, one.approvals) && (
              <span className="pill ok" title={text.candidateWhy}>
                {text.candidate}
              </span>
            )}
          </td>
        </tr>
      ))}
    </MetricTable>
  );
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? text.never : `${Math.round((part / whole) * 100)} %`;

const perTask = (asks: number, tasks: number): string => (tasks === 0 ? text.never : (asks / tasks).toFixed(1));

/** More than 98 % of at least 50 approvals changed nothing: the question could be a policy. */
const candidate = (unchanged: number, approvals: number): boolean => approvals >= 50 && unchanged / approvals > 0.98;
