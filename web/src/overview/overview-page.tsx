// How questions fare, in pictures, each of which leads to what it is of.
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Overview, RecordRule } from '../../../src/contract/views/operate.ts';
import { shortName } from '../base/account/names.ts';
import { Link, useSearch } from '../base/router/router.ts';
import { inboxPath, noFilters, type Filters } from '../base/router/routes.ts';
import { agoWords, durationWords, useNow } from '../base/time/time.ts';
import { useRead } from '../base/live/use-read.ts';
import { historyPath } from '../history/history-query.ts';
import { strings } from '../i18n/strings.ts';
import { Listbox } from '../ui/listbox.tsx';
import { PageFrame } from '../ui/page-frame.tsx';
import { PageState } from '../ui/page-state.tsx';
import { Segments } from '../ui/segments.tsx';
import { shareOf, trendOf } from './chart-math.ts';
import { Bar, EndLegend, HoursChart, HoursInWords, VolumeChart, VolumeInWords } from './charts.tsx';
import { Rules } from './rules.tsx';
import './overview.css';

const words = strings.overview;
const windows = [7, 30, 90] as const;
const rereadMs = 60_000;
const Numbers = lazy(async () => ({ default: (await import('./metric-tables.tsx')).MetricTables }));

export function OverviewPage(): ReactNode {
  // Which of the two is on show is in the address: its path alone says it.
  useSearch();
  const isNumbers = location.pathname === '/figures';
  const [days, setDays] = useState(30);
  return (
    <PageFrame
      title={strings.app.pages.overview}
      actions={
        <>
          <Segments
            label={words.shapes}
            items={[
              { key: 'pictures', word: words.pictures, to: '/overview', isCurrent: !isNumbers },
              { key: 'numbers', word: words.numbers, to: '/figures', isCurrent: isNumbers },
            ]}
          />
          <Listbox
            className="chip"
            label={words.window}
            value={String(days)}
            options={windows.map((one) => [String(one), words.lastDays(one)])}
            onChoose={(one) => setDays(Number(one))}
          />
        </>
      }
    >
      {isNumbers ? (
        <Suspense fallback={null}>
          <Numbers days={days} />
        </Suspense>
      ) : (
        <Pictures days={days} />
      )}
    </PageFrame>
  );
}

function Pictures({ days }: { days: number }): ReactNode {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { data, error, reread } = useRead<Overview>(`/api/overview?days=${days}&zone=${encodeURIComponent(timeZone)}`, {
    isLive: true,
    everyMs: rereadMs,
  });
  const rules = useRead<{ items: RecordRule[] }>(`/api/rules?days=${days}`);
  return (
    <>
      <PageState error={error} hasData={data !== null} onAgain={reread} />
      {data !== null && <Drawn overview={data} />}
      {rules.data !== null && <Rules rules={rules.data.items} />}
    </>
  );
}

const list = (filters: Partial<Filters>): string => inboxPath({ ...noFilters, ...filters });

function Drawn({ overview }: { overview: Overview }): ReactNode {
  const { volume, hours, days, window } = overview;
  return (
    <>
      <Tiles overview={overview} />
      <div className="pictures">
        <section className="picture box stack" aria-labelledby="overview-volume">
          <h2 id="overview-volume" className="cluster">
            <Link to="/history">{words.volume}</Link> <EndLegend />
          </h2>
          <p className="sr-only">{words.volumeSays(window)}</p>
          <VolumeChart volume={volume} />
          <VolumeInWords volume={volume} />
        </section>
        <section className="picture box stack" aria-labelledby="overview-hours">
          <h2 id="overview-hours" className="cluster">
            <Link to={list({ view: 'every', days: String(days) })}>{words.hours}</Link>
          </h2>
          <HoursChart hours={hours} />
          <HoursInWords hours={hours} />
        </section>
      </div>
      <Policies overview={overview} />
      <div className="pictures">
        <Deciders overview={overview} />
        <Funnel overview={overview} />
      </div>
    </>
  );
}

interface Tile {
  name: string;
  value: string | number;
  tone?: 'ok' | 'warn' | 'danger' | '';
  below: string;
  to: string;
}

function Tiles({ overview: { now, window, before, policies, days } }: { overview: Overview }): ReactNode {
  const at = useNow();
  const median = trendOf(window.medianMs, before.medianMs);
  const expired = trendOf(window.expired, before.expired);
  const worst = policies.toSorted((a, b) => b.expired - a.expired)[0];
  const tiles: Tile[] = [
    {
      name: words.open,
      value: now.open,
      below: now.oldestAt === null ? words.none : words.oldest(agoWords(Date.parse(now.oldestAt), at)),
      to: list({ view: 'all' }),
    },
    {
      name: words.overdue,
      value: now.overdue,
      tone: now.overdue > 0 ? 'danger' : 'ok',
      below: now.overdue > 0 ? words.keptOpen : words.none,
      to: list({ view: 'all', figure: 'overdue' }),
    },
    {
      name: words.soon,
      value: now.expiringWithinHour,
      tone: now.expiringWithinHour > 0 ? 'warn' : '',
      below: words.unclaimed(now.unclaimed),
      to: list({ view: 'all', figure: 'expiringWithinHour' }),
    },
    {
      name: words.median,
      value: window.medianMs === null ? words.nothing : durationWords(window.medianMs),
      below: median === null ? words.noBefore : words.trends[median.trend](durationWords(median.by)),
      to: historyPath({ end: 'decided' }),
    },
    {
      name: words.expired,
      value: window.expired,
      tone: window.expired > 0 ? 'danger' : 'ok',
      below:
        worst !== undefined && worst.expired === window.expired && worst.expired > 0
          ? words.allOf(worst.policy)
          : expired === null
            ? words.none
            : words.trends[expired.trend](String(expired.by)),
      to: list({ view: 'decided', figure: 'expired', days: String(days) }),
    },
  ];
  return (
    <ul className="tiles">
      {tiles.map(({ name, value, tone = '', below, to }) => (
        <li key={name}>
          <Link to={to}>
            <span className="meta">{name}</span>
            <strong className={`num ${tone}`}>{value}</strong>
            <span className="meta">{below}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Policies({ overview: { policies, days } }: { overview: Overview }): ReactNode {
  return (
    <section aria-labelledby="overview-policies">
      <h2 id="overview-policies">{words.against}</h2>
      <ul className="bullets">
        {policies.map(({ policy, asked, decided, expired, p50, p90, limitMs }) => (
          <li key={policy}>
            <Link to={list({ view: 'every', policy, days: String(days) })}>{policy}</Link>
            <span className="num">{asked}</span>
            <Bar
              share={shareOf(p90 ?? 0, limitMs ?? p90 ?? 0)}
              mark={p50 === null ? null : shareOf(p50, limitMs ?? p90 ?? 0)}
            />
            <span className="meta">
              {p50 === null || p90 === null ? words.undecided : words.took(durationWords(p50), durationWords(p90))}
              {limitMs !== null && decided > 0 && words.ofLimit(durationWords(limitMs))}
            </span>
            <span className={expired > 0 ? 'danger' : 'meta'}>{words.expiredCount(expired)}</span>
          </li>
        ))}
      </ul>
      {policies.length === 0 && <p className="meta">{words.nothingAsked}</p>}
    </section>
  );
}

function Deciders({ overview: { deciders } }: { overview: Overview }): ReactNode {
  const most = Math.max(1, ...deciders.map(({ approved, refused }) => approved + refused));
  return (
    <section className="picture box stack" aria-labelledby="overview-deciders">
      <h2 id="overview-deciders" className="cluster">
        {words.deciders}
      </h2>
      <ul className="bullets narrow">
        {deciders.map(({ by, approved, refused, medianMs }) => (
          <li key={by}>
            <Link to={historyPath({ by })}>
              <bdi>{shortName(by)}</bdi>
            </Link>
            <span className="num">{approved + refused}</span>
            <Bar share={approved / most} second={refused / most} />
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

function Funnel({ overview: { funnel, days } }: { overview: Overview }): ReactNode {
  const steps = ['asked', 'reminded', 'escalated', 'expired'] as const;
  return (
    <section className="picture box stack" aria-labelledby="overview-funnel">
      <h2 id="overview-funnel" className="cluster">
        {words.funnel}
      </h2>
      <ul className="bullets narrow">
        {steps.map((step) => (
          <li key={step}>
            <Link to={list({ view: 'every', figure: step === 'asked' ? '' : step, days: String(days) })}>
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
