// Asks, waits, is killed, answers: the first minute as a drawing, its stations in words below.
import type { ReactNode } from 'react';
import { strings } from '../i18n/strings.ts';
import { type Station, stations } from './trick-state.ts';

const text = strings.firstRun.drawing;
/** The middles of four equal columns. */
const at = [80, 240, 400, 560] as const;

/** `now`: where its reader is, who goes through it; what is still to come is grey then. */
export function FirstDrawing({ now = null }: { now?: Station | null }): ReactNode {
  const here = now === null ? -1 : stations.indexOf(now);
  const ahead = (index: number): string => (here >= 0 && index > here ? 'is-ahead' : '');
  return (
    <figure className="first-drawing">
      <svg viewBox="0 0 640 84" aria-hidden="true" focusable="false">
        <path className="drawing-way" d={`M${at[0] + 26} 42H${at[3] - 26}`} />
        {here > 0 && <path d={`M${at[0] + 26} 42H${(at[here] ?? at[3]) - 26}`} />}
        <path className="drawing-gap" d={`M${at[2] - 34} 42h68`} />
        <g>
          <rect x={at[0] - 24} y="18" width="48" height="48" rx="12" />
          <path d={`M${at[0] - 10} 34a10 8 0 0 1 20 0c0 6-10 6-10 13M${at[0]} 55v.5`} />
        </g>
        <g className={ahead(1)}>
          <circle cx={at[1]} cy="42" r="24" />
          <path d={`M${at[1]} 27v15l10 7`} />
        </g>
        <g className={`drawing-killed ${ahead(2)}`}>
          <path d={`M${at[2] - 12} 30l24 24M${at[2] + 12} 30l-24 24`} />
        </g>
        <g className={`drawing-answer ${ahead(3)}`}>
          <circle cx={at[3]} cy="42" r="24" />
          <path d={`M${at[3] - 11} 42l8 8 15-16`} />
        </g>
      </svg>
      <figcaption>
        {stations.map((station) =>
          station === now ? (
            <strong key={station} aria-current="step">
              {text[station]}
            </strong>
          ) : (
            <span key={station}>{text[station]}</span>
          ),
        )}
      </figcaption>
    </figure>
  );
}
