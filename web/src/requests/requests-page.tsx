// What the reader asked agents for, and its state.
import type { ReactNode } from 'react';
import { endedStatuses, openStatuses } from '../../../src/contract/tasks/task-names.ts';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { agentTitle } from '../base/account/names.ts';
import { useMe } from '../base/account/me.ts';
import { Link, useSearch } from '../base/router/router.ts';
import { chatPath, pagePath, taskPath } from '../base/router/routes.ts';
import { agoWords, deadlineWords, reader, useNow } from '../base/time/time.ts';
import { usePages } from '../base/live/use-read.ts';
import { oneLine } from '../base/text/visible.ts';
import { taskTitle } from '../hold/words/quoted.ts';
import { OwnRequest } from '../hold/own/own-request.tsx';
import { awaitedOf, awaitedWords, byDeadline, firstDue } from '../hold/own/own-waiting.ts';
import { OwnWhom } from '../hold/own/own-whom.tsx';
import { isOver } from '../hold/words/ends.ts';
import { strings } from '../i18n/strings.ts';
import { statusTagOf } from '../hold/words/task-status.ts';
import { Icon } from '../ui/icons.tsx';
import { Line } from '../ui/line.tsx';
import { PageFrame, PagedList } from '../ui/page-frame.tsx';
import { Segments } from '../ui/segments.tsx';

const words = strings.requests;
const views = ['open', 'ended', 'all'] as const;
type View = (typeof views)[number];
const statuses: Record<View, string> = {
  open: `&status=${openStatuses.join(',')}`,
  ended: `&status=${endedStatuses.join(',')}`,
  all: '',
};
/** A task goes on also where no question is asked. */
const rereadMs = 15_000;

export function RequestsPage(): ReactNode {
  const asked = new URLSearchParams(useSearch()).get('view');
  const view = views.find((one) => one === asked) ?? 'all';
  const tasks = usePages<TaskView>(`/api/tasks?mine=true&sort=deadline${statuses[view]}`, {
    isLive: true,
    everyMs: rereadMs,
  });
  return (
    <PageFrame
      title={strings.app.pages.requests}
      actions={
        <>
          <Segments
            label={words.viewsLabel}
            items={views.map((one) => ({
              key: one,
              word: words.views[one],
              to: one === 'all' ? pagePath('requests') : `${pagePath('requests')}?view=${one}`,
              isCurrent: one === view,
            }))}
          />
          <Link className="button small primary" to={chatPath()}>
            <Icon name="plus" /> {words.ask}
          </Link>
        </>
      }
    >
      <PagedList
        list={tasks}
        empty={
          <>
            <h2>{words.none[view]}</h2>
            {view === 'all' && <p>{words.noneYet}</p>}
          </>
        }
      >
        {(items) => <Groups tasks={items} reread={tasks.reread} />}
      </PagedList>
    </PageFrame>
  );
}

/** What waits for people first, since that is what one searches for; then what works, then what is over. */
function Groups({ tasks, reread }: { tasks: TaskView[]; reread: () => void }): ReactNode {
  const groups = [
    { key: 'waiting', items: byDeadline(tasks.filter(({ status }) => status === 'NEEDS_REVIEW')) },
    { key: 'working', items: tasks.filter((task) => task.status !== 'NEEDS_REVIEW' && !isOver(task)) },
    { key: 'ended', items: tasks.filter(isOver) },
  ] as const;
  return groups
    .filter(({ items }) => items.length > 0)
    .map(({ key, items }) => (
      <section key={key} className="requests" aria-labelledby={`requests-${key}`}>
        <div className="lines-head">
          <h2 id={`requests-${key}`}>{words.groups[key]}</h2>
          <span className="meta num">{items.length}</span>
        </div>
        {key === 'waiting' && <OwnWhom waiting={awaitedOf(items)} />}
        <ul className="lines">
          {items.map((task) =>
            key === 'waiting' ? (
              <OwnRequest key={task.id} task={task} reread={reread} />
            ) : (
              <Request key={task.id} task={task} />
            ),
          )}
        </ul>
      </section>
    ));
}

function Request({ task }: { task: TaskView }): ReactNode {
  const myId = useMe()?.id ?? null;
  const now = useNow();
  const { waiting = [], status } = task;
  const due = firstDue(waiting);
  const tag = statusTagOf(status);
  const since = agoWords(Date.parse(isOver(task) ? task.updatedAt : task.createdAt), now);
  const deadline = due === undefined ? null : deadlineWords(due.expiresAt, due.openedAt, now, reader);
  const details = [
    agentTitle(task.agent),
    ...(due === undefined
      ? task.error === null
        ? []
        : [oneLine(task.error.message, 160)]
      : [awaitedWords(due, task.owner, myId), oneLine(due.headline, 120)]),
    ...(waiting.length > 1 ? [words.questions(waiting.length)] : []),
  ];
  return (
    <Line
      to={taskPath(task.id)}
      agent={task.agent}
      title={taskTitle(task, 200) || words.untitled}
      details={details}
      end={
        <>
          {deadline === null ? (
            <span className={`pill ${tag.tone}`}>
              <Icon name={tag.icon} /> {tag.word}
            </span>
          ) : (
            <span className={`pill num ${deadline.tone}`} title={deadline.absolute}>
              <Icon name="clock" /> {words.until(deadline.pill)}
            </span>
          )}
          <span className="meta num">{isOver(task) ? since : words.asked(since)}</span>
        </>
      }
    />
  );
}
