// The pictures, each with a table of the same for readers who cannot see it.
import type { ReactNode } from 'react';
import type { Overview } from '../../../src/contract/views/operate.ts';
import { Link } from '../base/router/router.ts';
import { historyPath } from '../history/history-query.ts';
import { stateTones } from '../hold/words/state-tones.ts';
import { strings } from '../i18n/strings.ts';
import { dayWords, sumOf } from '../history/day-ends.ts';
import { shadeOf, stackOf, topOf } from './chart-math.ts';
import '../history/day-ends.css';

const words = strings.overview;

interface Drawing {
  width: number;
  height: number;
  children: ReactNode;
}

export function Drawn({ width, height, children }: Drawing): ReactNode {
  return (
    <svg className="chart" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

const high = 120;

export function VolumeChart({ volume }: Pick<Overview, 'volume'>): ReactNode {
  const top = topOf(Math.max(1, ...volume.map(sumOf)));
  const step = 520 / Math.max(volume.length, 1);
  const every = Math.ceil(volume.length / 6);
  return (
    <Drawn width={560} height={150}>
      {[0, 0.5, 1].map((share) => (
        <g key={share} className="chart-grid">
          <path d={`M30 ${6 + high * (1 - share)}H555`} />
          <text x="24" y={10 + high * (1 - share)} textAnchor="end">
            {Number.isInteger(top * share) ? top * share : ''}
          </text>
        </g>
      ))}
      {volume.map((day, index) => {
        const x = 32 + index * step;
        return (
          <Link key={day.day} to={historyPath({ from: day.day, to: day.day })} tabIndex={-1}>
            <title>{words.day(dayWords(day.day), day)}</title>
            <rect className="chart-hit" x={x} y="6" width={step} height={high} />
            {stackOf(day, top).map(({ end, from, to }) => (
              <rect
                key={end}
                className={`end ${stateTones[end]}`}
                x={x + step * 0.14}
                y={6 + high * (1 - to)}
                width={step * 0.72}
                height={Math.max(1, high * (to - from))}
              />
            ))}
            {index % every === 0 && (
              <text x={x} y="146">
                {dayWords(day.day)}
              </text>
            )}
          </Link>
        );
      })}
    </Drawn>
  );
}

const monday = Date.UTC(2024, 0, 1, 12);
const weekdays = [1, 2, 3, 4, 5, 6, 7];
const weekday = (n: number): string =>
  new Date(monday + (n - 1) * 86_400_000).toLocaleDateString(undefined, { weekday: 'short', timeZone: 'UTC' });

export function HoursChart({ hours }: Pick<Overview, 'hours'>): ReactNode {
  const most = Math.max(1, ...hours.map(({ asked }) => asked));
  const at = new Map(hours.map((one) => [`${one.weekday} ${one.hour}`, one]));
  return (
    <Drawn width={560} height={150}>
      {weekdays.map((day) => (
        <g key={day}>
          <text x="0" y={day * 18 - 5}>
            {weekday(day)}
          </text>
          {Array.from({ length: 24 }, (_, hour) => {
            const { asked = 0, answered = 0 } = at.get(`${day} ${hour}`) ?? {};
            return (
              <rect
                key={hour}
                className={`shade-${shadeOf(asked, most)}`}
                x={38 + hour * 21.6}
                y={day * 18 - 17}
                width="20"
                height="16"
                rx="2"
              >
                <title>{words.hour(weekday(day), hour, asked, answered)}</title>
              </rect>
            );
          })}
        </g>
      ))}
      {[0, 6, 12, 18].map((hour) => (
        <text key={hour} x={38 + hour * 21.6} y="146">
          {words.clock(hour)}
        </text>
      ))}
    </Drawn>
  );
}

/** What a picture shows, a line for each part of it that is not empty. */
function Spoken({ label, lines, isShown }: { label: string; lines: readonly string[]; isShown: boolean }): ReactNode {
  if (lines.length === 0) return isShown ? <p className="meta">{words.nothingAsked}</p> : null;
  return (
    <ul className={isShown ? 'few' : 'sr-only'} aria-label={label}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** `isShown`: in place of a picture, where there are few. */
interface InWords {
  isShown: boolean;
}

export const VolumeInWords = ({ volume, isShown }: Pick<Overview, 'volume'> & InWords): ReactNode => (
  <Spoken
    label={words.volume}
    isShown={isShown}
    lines={volume.filter((day) => sumOf(day) > 0).map((day) => words.day(dayWords(day.day), day))}
  />
);

export const HoursInWords = ({ hours, isShown }: Pick<Overview, 'hours'> & InWords): ReactNode => (
  <Spoken
    label={words.hours}
    isShown={isShown}
    lines={hours
      .filter(({ asked }) => asked > 0)
      .map(({ weekday: day, hour, asked, answered }) => words.hour(weekday(day), hour, asked, answered))}
  />
);

/** A bar on its track; `mark` is a line across it. Shares of the whole, 0 to 1; null: there is no whole, and no track. */
export function Bar({
  share,
  second = 0,
  mark = null,
}: {
  share: number | null;
  second?: number;
  mark?: number | null;
}): ReactNode {
  if (share === null) return <span />;
  return (
    <svg className="chart-bar" viewBox="0 0 400 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect className="chart-track" width="400" height="14" rx="3" />
      <rect className="bar-part" width={400 * share} height="14" rx="3" />
      {second > 0 && <rect className="bar-rest" x={400 * share} width={400 * second} height="14" />}
      {mark !== null && <rect className="chart-mark" x={Math.max(0, 400 * mark - 2)} width="4" height="14" />}
    </svg>
  );
}
