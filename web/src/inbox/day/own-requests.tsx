// In place of a day without questions: what the reader asked for, and whom it waits for.
import { type ReactNode, useCallback, useMemo } from 'react';
import type { TaskView } from '../../../../src/contract/tasks/task.ts';
import { useRead } from '../../base/live/use-read.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath, pagePath } from '../../base/router/routes.ts';
import { OwnRequest } from '../../hold/own/own-request.tsx';
import { awaitedOf, byDeadline } from '../../hold/own/own-waiting.ts';
import { OwnWhom } from '../../hold/own/own-whom.tsx';
import { strings } from '../../i18n/strings.ts';
import { DayStrip } from './day-strip.tsx';

const text = strings.inbox;
const nextAtMost = 4;

export function OwnRequests(): ReactNode {
  const { data, reread } = useRead<{ items: TaskView[] }>('/api/tasks?mine=true&status=NEEDS_REVIEW&limit=100', {
    isLive: true,
  });
  const waiting = useMemo(() => awaitedOf(data?.items ?? []), [data]);
  const timed = useMemo(
    () => waiting.map(({ holdId, agent, expiresAt }) => ({ id: holdId, agent, dueAt: expiresAt, climbsAt: null })),
    [waiting],
  );
  const titleOf = useCallback((id: string) => waiting.find(({ holdId }) => holdId === id)?.headline ?? '', [waiting]);
  if (data === null || waiting.length === 0) return null;
  return (
    <>
      <OwnWhom waiting={waiting} />
      <DayStrip timed={timed} titleOf={titleOf} pathOf={holdPath} />
      <section className="day-part stack" aria-labelledby="day-own">
        <h3 className="label" id="day-own">
          {text.nextOfYours}
        </h3>
        <ul>
          {byDeadline(data.items)
            .slice(0, nextAtMost)
            .map((task) => (
              <OwnRequest key={task.id} task={task} reread={reread} />
            ))}
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
