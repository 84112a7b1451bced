// How questions fare, in pictures, each of which leads to what it is of.
import { useState, type ReactNode } from 'react';
import type { Overview, RecordRule } from '../../../src/contract/views/operate.ts';
import { Link } from '../base/router/router.ts';
import { agoWords, durationWords, useNow } from '../base/time/time.ts';
import { useRead } from '../base/live/use-read.ts';
import { stateTones } from '../hold/words/state-tones.ts';
import { strings } from '../i18n/strings.ts';
import { Listbox } from '../ui/listbox.tsx';
import { PageFrame, PageState } from '../ui/page-frame.tsx';
import { hasHoursPicture, hasVolumePicture, trendOf } from './chart-math.ts';
import { EndLegend } from '../history/end-legend.tsx';
import { HoursChart, HoursInWords, VolumeChart, VolumeInWords } from './charts.tsx';
import { Agents, Deciders, Funnel, list, Policies } from './overview-lists.tsx';
import { Rules } from './rules.tsx';
import { WhoWaits } from './who-waits.tsx';
import './overview.css';

const words = strings.overview;
const windows = [7, 30, 90] as const;
const rereadMs = 60_000;

export function OverviewPage(): ReactNode {
  const [days, setDays] = useState(30);
  return (
    <PageFrame
      title={strings.app.pages.overview}
      actions={
        <Listbox
          className="chip"
          label={words.window}
          value={String(days)}
          options={windows.map((one) => [String(one), words.lastDays(one)])}
          onChoose={(one) => setDays(Number(one))}
        />
      }
    >
      <Pictures days={days} />
    </PageFrame>
  );
}

function Pictures({ days }: { days: number }): ReactNode {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { data, error, reread } = useRead<Overview>(`/api/overview?days=${days}&zone=${encodeURIComponent(timeZone)}`, {
    isLive: true,
    everyMs: rereadMs,
  });
  const rules = useRead<{ items: RecordRule[] }>(`/api/rule-suggestions?days=${days}`);
  return (
    <>
      <PageState error={error} hasData={data !== null} onAgain={reread} />
      {data !== null && <Drawn overview={data} />}
      {rules.data !== null && <Rules rules={rules.data.items} />}
    </>
  );
}

function Drawn({ overview }: { overview: Overview }): ReactNode {
  const { volume, hours, days, window } = overview;
  return (
    <>
      <Tiles overview={overview} />
      <div className="pictures">
        <section className="picture box stack" aria-labelledby="overview-volume">
          <h2 id="overview-volume" className="cluster">
            <Link to="/history">{words.volume}</Link> {hasVolumePicture(volume) && <EndLegend />}
          </h2>
          <p className="sr-only">{words.volumeSays(window)}</p>
          {hasVolumePicture(volume) && <VolumeChart volume={volume} />}
          <VolumeInWords volume={volume} isShown={!hasVolumePicture(volume)} />
        </section>
        <section className="picture box stack" aria-labelledby="overview-hours">
          <h2 id="overview-hours" className="cluster">
            <Link to={list({ view: 'every', days: String(days) })}>{words.hours}</Link>
          </h2>
          {hasHoursPicture({ hours }) && <HoursChart hours={hours} />}
          <HoursInWords hours={hours} isShown={!hasHoursPicture({ hours })} />
        </section>
      </div>
      <WhoWaits overview={overview} />
      <Policies overview={overview} />
      <Agents overview={overview} />
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

/** What somebody should pass on: shown only where there is any. */
const waitingTiles = ({ undecidable, reassignAsked }: Overview['now']): Tile[] =>
  [
    {
      name: words.undecidable,
      value: undecidable,
      tone: 'danger' as const,
      below: words.passOn,
      to: list({ view: 'all', metric: 'undecidable' }),
    },
    {
      name: words.reassignAsked,
      value: reassignAsked,
      tone: 'warn' as const,
      below: words.byThoseAsked,
      to: list({ view: 'all', metric: 'reassignAsked' }),
    },
  ].filter(({ value }) => value > 0);

function Tiles({ overview: { now, window, before, policies, days } }: { overview: Overview }): ReactNode {
  const at = useNow();
  const median = trendOf(window.medianMs, before.medianMs);
  const expired = trendOf(window.expired, before.expired);
  const worst = policies.toSorted((a, b) => b.expired - a.expired)[0];
  const tiles: Tile[] = [
    {
      name: words.open,
      value: now.open,
      below: now.oldestAt === null ? words.none : words.oldest(agoWords(Date.parse(now.oldestAt), at), now.unclaimed),
      to: list({ view: 'all' }),
    },
    {
      name: words.overdue,
      value: now.overdue,
      tone: now.overdue > 0 ? 'danger' : 'ok',
      below: now.overdue > 0 ? words.keptOpen : words.none,
      to: list({ view: 'all', metric: 'overdue' }),
    },
    {
      name: words.soon,
      value: now.expiringWithinHour,
      tone: now.expiringWithinHour > 0 ? 'warn' : '',
      below: now.expiringWithinHour > 0 ? words.ofOpen(now.open) : words.none,
      to: list({ view: 'all', metric: 'expiringWithinHour' }),
    },
    ...waitingTiles(now),
    {
      name: words.median,
      value: window.medianMs === null ? words.nothing : durationWords(window.medianMs),
      below: median === null ? words.noBefore : words.trends[median.trend](durationWords(median.by)),
      to: list({ view: 'decided', metric: 'decided', days: String(days) }),
    },
    {
      name: words.expired,
      value: window.expired,
      tone: window.expired > 0 ? stateTones.expired : 'ok',
      below:
        worst !== undefined && worst.expired === window.expired && worst.expired > 0
          ? words.allOf(worst.policy)
          : expired === null
            ? words.none
            : words.trends[expired.trend](String(expired.by)),
      to: list({ view: 'decided', metric: 'expired', days: String(days) }),
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
