// The ends of a month above the list, a bar a day in the colours of the ends; a press on one shows its day, a drag those between.
import { type ReactNode, useRef, useState } from 'react';
import type { EndedDay } from '../../../src/contract/views/inbox.ts';
import { useRead } from '../base/live/use-read.ts';
import { navigate } from '../base/router/router.ts';
import { useNow } from '../base/time/time.ts';
import { stateTones } from '../hold/words/state-tones.ts';
import { strings } from '../i18n/strings.ts';
import { dayWords, endsOfDay, sumOf } from './day-ends.ts';
import { EndLegend } from './end-legend.tsx';
import { between, dayBars, drawnDays } from './history-days.ts';
import { daysPath, historyPath, type HistoryQuery } from './history-query.ts';
import './histogram.css';

const words = strings.history;
const high = 48;
const step = 20;

export function Histogram({ query }: { query: HistoryQuery }): ReactNode {
  const shown = drawnDays(query, useNow());
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { data } = useRead<{ items: EndedDay[] }>(daysPath({ ...query, ...shown }, timeZone));
  const bars = dayBars(data?.items ?? [], shown);
  if (bars === null) return null;
  return <Bars bars={bars} query={query} />;
}

function Bars({ bars, query }: { bars: readonly EndedDay[]; query: HistoryQuery }): ReactNode {
  const begun = useRef<string | null>(null);
  const [over, setOver] = useState<{ from: string; to: string } | null>(null);
  const most = Math.max(1, ...bars.map(sumOf));
  const chosen = over ?? (query.from === '' ? null : { from: query.from, to: query.to === '' ? '9' : query.to });
  const isIn = (day: string): boolean => chosen === null || (day >= chosen.from && day <= chosen.to);
  const drag = (day: string): void => {
    if (begun.current !== null) setOver(between(begun.current, day));
  };
  const choose = (day: string): void => {
    if (begun.current === null) return;
    const days = between(begun.current, day);
    begun.current = null;
    setOver(null);
    navigate(historyPath({ ...query, ...days }), { replace: true });
  };
  return (
    <figure className="histogram">
      <svg
        viewBox={`0 0 ${bars.length * step} ${high + 16}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
        onPointerLeave={() => {
          begun.current = null;
          setOver(null);
        }}
      >
        {bars.map((bar, index) => {
          let top = high;
          return (
            <g
              key={bar.day}
              className={isIn(bar.day) ? 'histogram-day' : 'histogram-day out'}
              onPointerDown={() => {
                begun.current = bar.day;
                drag(bar.day);
              }}
              onPointerEnter={() => drag(bar.day)}
              onPointerUp={() => choose(bar.day)}
            >
              <title>{words.endedOn(dayWords(bar.day), sumOf(bar))}</title>
              <rect className="histogram-hit" x={index * step} y="0" width={step} height={high + 2} />
              {endsOfDay.map((end) => {
                const height = bar[end] === 0 ? 0 : Math.max(1, (high * bar[end]) / most);
                top -= height;
                return (
                  height > 0 && (
                    <rect
                      key={end}
                      className={`end ${stateTones[end]}`}
                      x={index * step + 3}
                      y={top}
                      width={step - 6}
                      height={height}
                    />
                  )
                );
              })}
            </g>
          );
        })}
      </svg>
      <figcaption className="meta num">
        <span>{dayWords(bars[0]?.day ?? '')}</span>
        <span className="histogram-about">
          {words.dragDays} <EndLegend />
        </span>
        <span>{dayWords(bars.at(-1)?.day ?? '')}</span>
      </figcaption>
      <ul className="sr-only" aria-label={words.endedDays}>
        {bars
          .filter((bar) => sumOf(bar) > 0)
          .map((bar) => (
            <li key={bar.day}>{words.endedOn(dayWords(bar.day), sumOf(bar))}</li>
          ))}
      </ul>
    </figure>
  );
}
