// The time of a task as two lanes, true to scale: its agent, and the people it waited for. The sums are in words next to it.
import type { ReactNode } from 'react';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import type { TimelineEntry } from '../../../src/contract/views/inbox.ts';
import { clockAt, durationWords, useNow } from '../base/time/time.ts';
import { isOver } from '../hold/words/ends.ts';
import { strings } from '../i18n/strings.ts';
import { lanesOf } from './lanes.ts';
import './lanes.css';

const words = strings.task.lanes;
const lanes = ['agent', 'people'] as const;

export function LanesPicture({ task, timeline }: { task: TaskView; timeline: readonly TimelineEntry[] }): ReactNode {
  const now = useNow();
  const isEnded = isOver(task);
  const drawn = lanesOf(timeline, Date.parse(task.createdAt), isEnded ? Date.parse(task.updatedAt) : now);
  // Where no one was asked there is one bar, which says nothing.
  if (drawn === null || drawn.waitedMs === 0) return null;
  const sums = { agent: drawn.workedMs, people: drawn.waitedMs };
  return (
    <section className="lanes" aria-label={words.label}>
      {lanes.map((lane) => (
        <div key={lane} className={`lane lane-${lane}`}>
          <span className="lane-name">
            {words[lane]} <span className="meta num">{durationWords(Math.max(1_000, sums[lane]))}</span>
          </span>
          <span className="lane-track" aria-hidden="true">
            {drawn.spans
              .filter((span) => span.lane === lane)
              .map(({ from, to }) => (
                <span
                  key={from}
                  className="lane-bar"
                  style={{ insetInlineStart: `${from * 100}%`, width: `${(to - from) * 100}%` }}
                />
              ))}
            {lane === 'people' &&
              drawn.ticks.map(({ at, kind }, index) => (
                <span key={index} className={`lane-tick ${kind}`} style={{ insetInlineStart: `${at * 100}%` }} />
              ))}
          </span>
        </div>
      ))}
      <p className="lane-ends meta num">
        <time dateTime={task.createdAt}>{clockAt(task.createdAt)}</time>
        {isEnded ? <time dateTime={task.updatedAt}>{clockAt(task.updatedAt)}</time> : <span>{words.now}</span>}
      </p>
    </section>
  );
}
