// In place of a day without questions: what the reader asked for, and whom it waits for.
import { type ReactNode, useCallback, useMemo } from 'react';
import type { TaskView } from '../../../../src/contract/tasks/task.ts';
import { useMe } from '../../base/account/me.ts';
import { nameFor, shortEntry } from '../../base/account/names.ts';
import { useRead } from '../../base/live/use-read.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath, pagePath } from '../../base/router/routes.ts';
import { deadlineWords, reader, useNow } from '../../base/time/time.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { Monogram } from '../../ui/monogram.tsx';
import { DayStrip } from './day-strip.tsx';
import { awaitedOf, byAwaited } from './own-waiting.ts';

const text = strings.inbox;
const nextAtMost = 7;

export function OwnRequests(): ReactNode {
  const myId = useMe()?.id ?? null;
  const now = useNow();
  const { data } = useRead<{ items: TaskView[] }>('/api/tasks?mine=true&status=NEEDS_REVIEW&limit=100', {
    isLive: true,
  });
  const waiting = useMemo(() => awaitedOf(data?.items ?? []), [data]);
  const timed = useMemo(
    () => waiting.map(({ holdId, agent, expiresAt }) => ({ id: holdId, agent, dueAt: expiresAt, climbsAt: null })),
    [waiting],
  );
  const titleOf = useCallback((id: string) => waiting.find(({ holdId }) => holdId === id)?.headline ?? '', [waiting]);
  if (data === null) return null;
  if (waiting.length === 0)
    return (
      <div className="day-none">
        <Icon name="inbox" />
        <p>{text.emptyForMe}</p>
      </div>
    );
  const whom = (entry: string): string => shortEntry(entry, nameFor(`user:${myId ?? ''}`, myId, strings.ends.you));
  return (
    <>
      <p>
        {text.yoursWait(
          waiting.length,
          byAwaited(waiting).map(({ entry, count }) => `${whom(entry)} ${count}`),
        )}
      </p>
      <DayStrip timed={timed} titleOf={titleOf} pathOf={holdPath} />
      <section className="day-part stack" aria-labelledby="day-own">
        <h3 className="label" id="day-own">
          {text.nextOfYours}
        </h3>
        <ul>
          {waiting.slice(0, nextAtMost).map(({ holdId, headline, audience, openedAt, expiresAt }) => {
            const due = deadlineWords(expiresAt, openedAt, now, reader);
            return (
              <li key={holdId}>
                <Link className="day-row" to={holdPath(holdId)}>
                  <Icon name="clock" />
                  <bdi className="day-title cut" dir="auto">
                    {oneLine(headline, 160) || text.untitled}
                  </bdi>
                  <span className="day-faces">
                    {audience.slice(0, 3).map((entry) => (
                      <Monogram key={entry} id={entry} name={whom(entry)} isPerson />
                    ))}
                    <span className="meta">{audience.map(whom).join(', ')}</span>
                  </span>
                  <span className={`row-time num ${due?.tone ?? ''}`}>{due?.pill ?? text.noDeadline}</span>
                </Link>
              </li>
            );
          })}
        </ul>
        <p>
          <Link className="button small" to={pagePath('requests')}>
            {strings.app.pages.requests}
          </Link>
        </p>
      </section>
    </>
  );
}
