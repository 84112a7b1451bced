// The same in tables, each number a way to the questions behind it.
import type { ReactNode } from 'react';
import type { InboxMetrics } from '../../../src/contract/inbox.ts';
import { agentTitle } from '../app/names.ts';
import { Link } from '../app/router.ts';
import { inboxPath, noFilters, type Filters } from '../app/routes.ts';
import { strings } from '../i18n/strings.ts';
import { durationWords } from '../app/time.ts';
import { useRead } from '../app/use-read.ts';
import { PageState } from '../ui/page-state.tsx';
import { candidate, percent, perTask } from './figures-words.ts';

const text = strings.figures;

export function FigureTables({ days }: { days: number }): ReactNode {
  const { data, error, reread } = useRead<InboxMetrics>(`/api/figures?days=${days}`);
  return (
    <>
      <PageState error={error} hasData={data !== null} onAgain={reread} />
      {data !== null && <Tables metrics={data} days={String(data.days)} />}
    </>
  );
}

/** A number, and the way to the questions it counts. */
function Counted({ n, of, children }: { n: number; of: Partial<Filters>; children?: ReactNode }): ReactNode {
  if (n === 0) return children ?? n;
  return (
    <Link className="counted" to={inboxPath({ ...noFilters, ...of })}>
      {children ?? n}
    </Link>
  );
}

function Tables({ metrics: figures, days }: { metrics: InboxMetrics; days: string }): ReactNode {
  const { now, policies, agents } = figures;
  const tiles = [
    [text.open, now.open, 'open'],
    [text.overdue, now.overdue, 'overdue'],
    [text.unclaimed, now.unclaimed, 'unclaimed'],
    [text.expiring, now.expiringWithinHour, 'expiringWithinHour'],
    [text.reassignAsked, now.reassignAsked, 'reassignAsked'],
  ] as const;
  return (
    <>
      <section aria-labelledby="figures-now">
        <h2 id="figures-now">{text.now}</h2>
        <dl className="tiles numbers">
          {tiles.map(([name, count, figure]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">
                <Counted n={count} of={{ view: 'all', figure: figure === 'open' ? '' : figure }} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="figures-policy">
        <h2 id="figures-policy">{text.byPolicy}</h2>
        {policies.length === 0 ? <p className="meta">{text.none}</p> : <PolicyTable policies={policies} days={days} />}
      </section>
      <section aria-labelledby="figures-agent">
        <h2 id="figures-agent">{text.byAgent}</h2>
        {agents.length === 0 ? <p className="meta">{text.none}</p> : <AgentTable agents={agents} days={days} />}
      </section>
    </>
  );
}

function PolicyTable({ policies, days }: { policies: InboxMetrics['policies']; days: string }): ReactNode {
  const times = ['p50', 'p90', 'p99'] as const;
  return (
    <div className="scrolls" tabIndex={0} role="group" aria-labelledby="figures-policy">
      <table>
        <thead>
          <tr>
            <th scope="col">{text.policy}</th>
            <th scope="col" className="num">
              {text.questions}
            </th>
            <th scope="col" className="num">
              {text.open}
            </th>
            {times.map((name) => (
              <th key={name} scope="col" className="num">
                {text[name]}
              </th>
            ))}
            <th scope="col" className="num">
              {text.expired}
            </th>
            <th scope="col" className="num">
              {text.escalated}
            </th>
            <th scope="col" className="num">
              {text.rejected}
            </th>
          </tr>
        </thead>
        <tbody>
          {policies.map((one) => {
            const every = { view: 'every', policy: one.policy, days } as const;
            const ended = { ...every, view: 'decided' } as const;
            return (
              <tr key={one.policy}>
                <th scope="row">{one.policy}</th>
                <td className="num">
                  <Counted n={one.count} of={every} />
                </td>
                <td className="num">
                  <Counted n={one.open} of={{ ...every, view: 'all' }} />
                </td>
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
                <td className="num">
                  <Counted n={one.expired} of={{ ...ended, figure: 'expired' }} />
                </td>
                <td className="num">
                  <Counted n={one.escalated} of={{ ...every, figure: 'escalated' }} />
                </td>
                <td className="num">
                  <Counted n={one.rejected} of={{ ...ended, figure: 'rejected' }}>
                    {text.ofAll(percent(one.rejected, one.decided), one.rejected)}
                  </Counted>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function AgentTable({ agents, days }: { agents: InboxMetrics['agents']; days: string }): ReactNode {
  return (
    <div className="scrolls" tabIndex={0} role="group" aria-labelledby="figures-agent">
      <table>
        <thead>
          <tr>
            <th scope="col">{text.agent}</th>
            <th scope="col" className="num">
              {text.tasks}
            </th>
            <th scope="col" className="num">
              {text.asks}
            </th>
            <th scope="col" className="num">
              {text.unchanged}
            </th>
          </tr>
        </thead>
        <tbody>
          {agents.map((one) => (
            <tr key={one.agent}>
              <th scope="row">
                <Link to={inboxPath({ ...noFilters, view: 'all', agent: one.agent })}>{agentTitle(one.agent)}</Link>
              </th>
              <td className="num">{one.tasks}</td>
              <td className="num">
                <Counted n={one.asks} of={{ view: 'every', agent: one.agent, days }}>
                  {perTask(one.asks, one.tasks)}
                </Counted>
              </td>
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
                  <span className="chip" title={text.candidateWhy}>
                    {text.candidate}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
