// Every task there is, for operators: by status, agent and words, the newest first.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { taskStatuses } from './task-query.ts';
import type { TaskView } from '../../../src/contract/task.ts';
import { useMe } from '../app/me.ts';
import { agentTitle, nameFor } from '../app/names.ts';
import { Link, navigate, useSearch } from '../app/router.ts';
import { taskPath } from '../app/routes.ts';
import { absoluteWords, agoWords, deadlineWords, reader, useNow } from '../app/time.ts';
import { usePages } from '../app/use-read.ts';
import { oneLine } from '../hold/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { awaitedWords, firstDue, standingOf } from '../task/task-stands.ts';
import { Icon } from '../ui/icons.tsx';
import { Line } from '../ui/line.tsx';
import { PageFrame } from '../ui/page-frame.tsx';
import { PageState } from '../ui/page-state.tsx';
import { noTaskQuery, readTaskQuery, taskApiPath, tasksPath, type TaskQuery } from './task-query.ts';

const words = strings.operate;
const typedForMs = 300;
const rereadMs = 10_000;

export function TasksPage(): ReactNode {
  const query = readTaskQuery(useSearch());
  const tasks = usePages<TaskView>(taskApiPath(query), { isLive: true, everyMs: rereadMs });
  const { items } = tasks;
  const isNarrowed = tasksPath(query) !== tasksPath(noTaskQuery);
  return (
    <PageFrame title={strings.app.pages.tasks}>
      <Search query={query} isNarrowed={isNarrowed} />
      <PageState error={tasks.error} hasData={items !== null} onAgain={tasks.reread} />
      {items?.length === 0 && (
        <div className="empty">
          <p>{isNarrowed ? words.noTaskFits : words.noTasks}</p>
        </div>
      )}
      {items !== null && items.length > 0 && (
        <ul className="lines" aria-label={strings.app.pages.tasks} aria-busy={tasks.isLoading}>
          {items.map((task) => (
            <Task key={task.id} task={task} />
          ))}
        </ul>
      )}
      {tasks.hasMore && (
        <button type="button" className="button" onClick={tasks.more}>
          {strings.inbox.more}
        </button>
      )}
    </PageFrame>
  );
}

function Task({ task }: { task: TaskView }): ReactNode {
  const myId = useMe()?.id ?? null;
  const now = useNow();
  const standing = standingOf(task.status);
  const due = firstDue(task.waiting ?? []);
  const deadline = due === undefined ? null : deadlineWords(due.expiresAt, due.openedAt, now, reader);
  const title = oneLine(task.title, 200) || strings.requests.untitled;
  const details = [
    agentTitle(task.agent),
    strings.inbox.forRequester(nameFor(task.owner, myId, strings.requests.you)),
    ...(due === undefined ? [] : [awaitedWords(due, task.owner, myId)]),
    ...(task.error === null ? [] : [`${task.error.code}: ${oneLine(task.error.message, 160)}`]),
  ];
  return (
    <Line
      to={taskPath(task.id)}
      agent={task.agent}
      title={title}
      details={details}
      end={
        <>
          <span className={`pill ${standing.tone}`}>
            <Icon name={standing.icon} /> {standing.word}
          </span>
          <span className="meta num" title={absoluteWords(Date.parse(task.updatedAt), now, reader)}>
            {deadline === null ? agoWords(Date.parse(task.updatedAt), now) : words.dueIn(deadline.pill)}
          </span>
        </>
      }
    />
  );
}

function Search({ query, isNarrowed }: { query: TaskQuery; isNarrowed: boolean }): ReactNode {
  const me = useMe();
  const [typed, setTyped] = useState(query.q);
  const told = useRef(query.q);
  if (query.q !== told.current) {
    told.current = query.q;
    setTyped(query.q);
  }
  const wanted = tasksPath({ ...query, q: typed.trim() });
  useEffect(() => {
    if (typed.trim() === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = typed.trim();
      navigate(wanted, { replace: true });
    }, typedForMs);
    return () => clearTimeout(timer);
  }, [typed, wanted]);
  const choose = (change: Partial<TaskQuery>): void => navigate(tasksPath({ ...query, ...change }));
  return (
    <search className="bar-filters">
      <label className="wide">
        {strings.inbox.search}
        <input
          type="search"
          value={typed}
          placeholder={words.searchTasks}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <label>
        {words.status}
        <select value={query.status} onChange={({ target }) => choose({ status: target.value })}>
          <option value="">{words.anyStatus}</option>
          {taskStatuses.map((one) => (
            <option key={one} value={one}>
              {strings.requests.statuses[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {strings.inbox.agent}
        <select value={query.agent} onChange={({ target }) => choose({ agent: target.value })}>
          <option value="">{strings.inbox.anyAgent}</option>
          {(me?.agents ?? []).map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {isNarrowed && (
        <Link className="button quiet small" to={tasksPath(noTaskQuery)} replace>
          {strings.inbox.clear}
        </Link>
      )}
    </search>
  );
}
