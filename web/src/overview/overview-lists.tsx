// Questions by policy, agent, person and how far they climbed; each number is a way to the questions it counts.
import type { ReactNode } from 'react';
import type { Overview } from '../../../src/contract/views/operate.ts';
import { agentTitle, shortName } from '../base/account/names.ts';
import { Link } from '../base/router/router.ts';
import { inboxPath, noFilters, type Filters } from '../base/router/routes.ts';
import { durationWords } from '../base/time/time.ts';
import { historyPath } from '../history/history-query.ts';
import { stateTones } from '../hold/words/state-tones.ts';
import { strings } from '../i18n/strings.ts';
import { shareOf } from './chart-math.ts';
import { Bar } from './charts.tsx';

const words = strings.overview;

export const list = (filters: Partial<Filters>): string => inboxPath({ ...noFilters, ...filters });

/** Each metric by the name of its filter, and the view that has its questions. */
const metrics = [
  ['open', '', 'all'],
  ['refused', 'rejected', 'decided'],
  ['escalated', 'escalated', 'every'],
  ['expired', 'expired', 'decided'],
  ['approvals', 'approvals', 'decided'],
  ['approvedUnchanged', 'approvedUnchanged', 'decided'],
] as const;
type CountedMetric = (typeof metrics)[number][0];

/** What of these questions is not none. */
function Counts({ counts, of }: { counts: Partial<Record<CountedMetric, number>>; of: Partial<Filters> }): ReactNode {
  return (
    <span className="counts">
      {metrics.map(([name, metric, view]) => {
        const count = counts[name] ?? 0;
        return (
          count > 0 && (
            <Link
              key={name}
              className={name === 'expired' ? stateTones.expired : 'meta'}
              to={list({ ...of, view, metric })}
            >
              {words.counts[name](count)}
            </Link>
          )
        );
      })}
    </span>
  );
}

export function Policies({ overview: { policies, days } }: { overview: Overview }): ReactNode {
  return (
    <section aria-labelledby="overview-policies">
      <h2 id="overview-policies">{words.against}</h2>
      <ul className="bullets">
        {policies.map(({ policy, asked, decided, p50, p90, limitMs, ...counts }) => (
          <li key={policy}>
            <Link to={list({ view: 'every', policy, days: String(days) })}>{policy}</Link>
            <span className="num">{asked}</span>
            <Bar
              share={decided === 0 ? null : shareOf(p90 ?? 0, limitMs ?? p90 ?? 0)}
              mark={p50 === null ? null : shareOf(p50, limitMs ?? p90 ?? 0)}
            />
            <span className="meta">
              {p50 === null || p90 === null ? words.undecided : words.took(durationWords(p50), durationWords(p90))}
              {limitMs !== null && decided > 0 && words.ofLimit(durationWords(limitMs))}
            </span>
            <Counts counts={counts} of={{ policy, days: String(days) }} />
          </li>
        ))}
      </ul>
      {policies.length === 0 && <p className="meta">{words.nothingAsked}</p>}
    </section>
  );
}

export function Agents({ overview: { agents, days } }: { overview: Overview }): ReactNode {
  return (
    <section aria-labelledby="overview-agents">
      <h2 id="overview-agents">{words.unchanged}</h2>
      <ul className="bullets">
        {agents.map(({ agent, tasks, asked, ...counts }) => (
          <li key={agent}>
            <Link to={list({ view: 'every', agent, days: String(days) })}>{agentTitle(agent)}</Link>
            <span className="num">{asked}</span>
            <Bar share={counts.approvals === 0 ? null : shareOf(counts.approvedUnchanged, counts.approvals)} />
            <span className="meta">{tasks > 0 && words.perTask((asked / tasks).toFixed(1))}</span>
            <Counts counts={counts} of={{ agent, days: String(days) }} />
          </li>
        ))}
      </ul>
      {agents.length === 0 && <p className="meta">{words.nothingAsked}</p>}
    </section>
  );
}

export function Deciders({ overview: { deciders } }: { overview: Overview }): ReactNode {
  const most = Math.max(1, ...deciders.map(({ approved, answered, refused }) => approved + answered + refused));
  return (
    <section className="picture box stack" aria-labelledby="overview-deciders">
      <h2 id="overview-deciders" className="cluster">
        {words.deciders}
      </h2>
      <ul className="bullets narrow">
        {deciders.map(({ by, approved, answered, refused, medianMs }) => (
          <li key={by}>
            <Link to={historyPath({ by })}>
              <bdi>{shortName(by)}</bdi>
            </Link>
            <span className="num">{approved + answered + refused}</span>
            <Bar share={(approved + answered) / most} second={refused / most} />
            <span className="meta">
              {words.refusedOf(refused)}
              {medianMs !== null && words.half(durationWords(medianMs))}
            </span>
          </li>
        ))}
      </ul>
      {deciders.length === 0 && <p className="meta">{words.nothingDecided}</p>}
    </section>
  );
}

export function Funnel({ overview: { funnel, days } }: { overview: Overview }): ReactNode {
  const steps = ['asked', 'reminded', 'escalated', 'expired'] as const;
  return (
    <section className="picture box stack" aria-labelledby="overview-funnel">
      <h2 id="overview-funnel" className="cluster">
        {words.funnel}
      </h2>
      <ul className="bullets narrow">
        {steps.map((step) => (
          <li key={step}>
            <Link to={list({ view: 'every', metric: step === 'asked' ? '' : step, days: String(days) })}>
              {words.steps[step]}
            </Link>
            <span className="num">{funnel[step]}</span>
            <Bar share={shareOf(funnel[step], funnel.asked)} />
            <span className="meta num">{words.percent(funnel.asked === 0 ? 0 : funnel[step] / funnel.asked)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
