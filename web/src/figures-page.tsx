// Operators' figures: tables, each number a way to the questions behind it.
import { useEffect, useState, type ReactNode } from 'react';
import type { Figures } from '../../src/contract/inbox.ts';
import { ApiError, get } from './api.ts';
import { SlowNotice } from './later.tsx';
import { Link } from './router.ts';
import { inboxPath, noFilters } from './routes.ts';
import { strings } from './strings.ts';
import { durationWords } from './time.ts';
import { candidate, percent, perTask } from './figures-words.ts';

const text = strings.figures;
const windows = [1, 7, 30, 90];

export function FiguresPage(): ReactNode {
  const [days, setDays] = useState(30);
  const [figures, setFigures] = useState<Figures | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    get<Figures>(`/api/figures?days=${days}`, { signal: abort.signal }).then(
      (found) => {
        setFigures(found);
        setError(null);
      },
      (failure: unknown) => {
        if (failure instanceof ApiError) setError(failure);
      },
    );
    return () => abort.abort();
  }, [days]);
  return (
    <div className="pad figures">
      <div className="figures-head">
        <h1>{text.title}</h1>
        <label className="filter">
          <span className="sr-only">{text.window}</span>
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {windows.map((one) => (
              <option key={one} value={one}>
                {text.windows[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error !== null && (
        <p className="notice danger" role="alert">
          {error.status === 403 ? text.forbidden : strings.app.wentWrong(error.requestId)}
        </p>
      )}
      {figures === null ? error === null && <SlowNotice /> : <Tables figures={figures} />}
    </div>
  );
}

function Tables({ figures }: { figures: Figures }): ReactNode {
  const { now, policies, agents } = figures;
  const all = inboxPath({ ...noFilters, view: 'all' });
  const tiles: [string, number][] = [
    [text.open, now.open],
    [text.overdue, now.overdue],
    [text.unclaimed, now.unclaimed],
    [text.expiring, now.expiringWithinHour],
  ];
  return (
    <>
      <section aria-labelledby="figures-now">
        <h2 id="figures-now">{text.now}</h2>
        <dl className="tiles">
          {tiles.map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{count === 0 ? count : <Link to={all}>{count}</Link>}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="figures-policy">
        <h2 id="figures-policy">{text.byPolicy}</h2>
        {policies.length === 0 ? <p className="meta">{text.none}</p> : <PolicyTable policies={policies} />}
      </section>
      <section aria-labelledby="figures-agent">
        <h2 id="figures-agent">{text.byAgent}</h2>
        {agents.length === 0 ? <p className="meta">{text.none}</p> : <AgentTable agents={agents} />}
      </section>
    </>
  );
}

function PolicyTable({ policies }: { policies: Figures['policies'] }): ReactNode {
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
          {policies.map((one) => (
            <tr key={one.policy}>
              <th scope="row">{one.policy}</th>
              <td className="num">{one.count}</td>
              <td className="num">{one.open}</td>
              {times.map((name) => (
                <td key={name} className="num">
                  {one.decisionMs === null ? text.never : durationWords(one.decisionMs[name])}
                </td>
              ))}
              <td className="num">{one.expired}</td>
              <td className="num">{one.escalated}</td>
              <td className="num">{text.ofAll(percent(one.rejected, one.decided), one.rejected)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AgentTable({ agents }: { agents: Figures['agents'] }): ReactNode {
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
                <Link to={inboxPath({ ...noFilters, view: 'all', agent: one.agent })}>{one.agent}</Link>
              </th>
              <td className="num">{one.tasks}</td>
              <td className="num">{perTask(one.asks, one.tasks)}</td>
              <td className="num">
                {text.ofAll(percent(one.approvedUnchanged, one.approvals), one.approvals)}
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
