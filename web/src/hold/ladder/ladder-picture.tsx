// Whom a question has asked, whom it will ask, and what silence does: a line of steps with the present on it, in words as well.
import type { CSSProperties, ReactNode } from 'react';
import { shortEntry, shortName } from '../../base/account/names.ts';
import { clockWords, reader, useNow } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { Faces } from '../../ui/monogram.tsx';
import { audienceWords } from '../words/people.ts';
import { type Climbing, type Rung, rungsOf } from './rungs.ts';
import './ladder.css';

const words = strings.ladder;
const facesAtMost = 3;

const goneStyle = ({ gone }: Rung): CSSProperties => ({ ['--gone' as string]: gone });

const shapes: Record<Rung['kind'], ReactNode> = {
  asked: <circle cx="8" cy="8" r="6" />,
  remind: <circle cx="8" cy="8" r="4.5" />,
  escalate: <path d="M8 1.5l6.5 12h-13z" />,
  end: <rect x="2.500" y="2.500" width="11" height="11" rx="2" />,
};

function rungWords({ kind, to, replace, isDone, times, at }: Rung, hold: Climbing, requester: string): string {
  const whom = to.length === 0 ? '' : audienceWords(to, requester);
  switch (kind) {
    case 'asked':
      return words.asked(whom);
    case 'remind':
      return isDone ? words.reminded(times) : words.reminds;
    case 'escalate':
      return replace ? words.replaces(whom) : words.adds(whom);
    case 'end':
      return at === null ? words.noEnd : words.ends[hold.then];
    default:
      return kind satisfies never;
  }
}

export function LadderPicture({ hold, requester }: { hold: Climbing; requester: string }): ReactNode {
  const now = useNow();
  const { rungs, here } = rungsOf(hold, now);
  return (
    <div className="rungs-box">
      <ol className="rungs" aria-label={words.label}>
        {rungs.map((rung, index) => (
          <li
            key={`${index} ${rung.kind}`}
            className={`rung rung-${rung.kind}${rung.isDone ? ' done' : ''}`}
            aria-current={index === here ? 'step' : undefined}
          >
            {index < rungs.length - 1 && (
              <span className="rung-way" aria-hidden="true">
                <span className="rung-gone" style={goneStyle(rung)} />
                {index === here && (
                  <span className="rung-here" style={goneStyle(rung)} title={words.here}>
                    <span className="rung-now">{words.now}</span>
                  </span>
                )}
              </span>
            )}
            <svg className="rung-mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
              {shapes[rung.kind]}
            </svg>
            <span className="rung-words">
              <bdi>{rungWords(rung, hold, requester)}</bdi>
              {rung.at !== null && (
                <time className="meta num" dateTime={rung.at}>
                  {clockWords(Date.parse(rung.at), now, reader)}
                </time>
              )}
              {rung.to.length > 0 && (
                <Faces
                  of={rung.to.map((entry) => ({ id: entry, name: shortEntry(entry, shortName(requester)) }))}
                  most={facesAtMost}
                />
              )}
              {index === here && <span className="sr-only">{words.here}</span>}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
