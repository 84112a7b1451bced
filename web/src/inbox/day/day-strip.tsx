// The next 24 hours: each question at its deadline, in the colour of its agent.
import { type ReactNode, useMemo } from 'react';
import { agentHue } from '../../base/account/names.ts';
import { Link } from '../../base/router/router.ts';
import { useNow } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { stripHours, stripMarks, type Timed } from './strip-marks.ts';

const text = strings.inbox;
const hours = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const hourWords = (time: number): string => hours.format(time);
/** What is written further to the right would be cut. */
const lastWritten = 0.94;

interface Props {
  timed: readonly Timed[];
  /** What a mark is called, and where it leads. */
  titleOf: (id: string) => string;
  pathOf: (id: string) => string;
}

/** The list has the same in words. */
export function DayStrip({ timed, titleOf, pathOf }: Props): ReactNode {
  const now = useNow();
  const { marks, rest } = useMemo(() => stripMarks(timed, now), [timed, now]);
  return (
    <div className="stack" aria-hidden="true">
      <div className="strip">
        <span className="strip-now" />
        {stripHours(now)
          .filter(({ at }) => at < lastWritten)
          .map(({ at, time }) => (
            <span key={time} className="strip-hour num" style={{ insetInlineStart: `${at * 100}%` }}>
              {hourWords(time)}
            </span>
          ))}
        {marks.map(({ id, agent, at, level, climbs }) => (
          <Link
            key={`${id} ${climbs}`}
            className={`strip-mark hue-${agentHue(agent)}${climbs ? ' climbs' : ''}`}
            style={{ insetInlineStart: `${at * 100}%`, bottom: `${level * 19}px` }}
            to={pathOf(id)}
            tabIndex={-1}
            title={climbs ? text.goesOnToOthers(titleOf(id)) : titleOf(id)}
          />
        ))}
        {rest.map(({ at, count }) => (
          <span key={at} className="strip-rest num" style={{ insetInlineStart: `${at * 100}%` }}>
            {text.moreThere(count)}
          </span>
        ))}
      </div>
      <p className="meta cluster">
        <span className="strip-key">{text.due}</span>
        {marks.some(({ climbs }) => climbs) && <span className="strip-key climbs">{text.keyGoesOn}</span>}
        <span>{text.keyColour}</span>
      </p>
    </div>
  );
}
