// Every task there is, for operators: by status, agent and words, what is due first on top.
import type { ReactNode } from 'react';
import { taskStatuses } from '../../../src/contract/tasks/task-names.ts';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { useMe } from '../base/account/me.ts';
import { agentTitle, nameFor } from '../base/account/names.ts';
import { Link, navigate, useSearch } from '../base/router/router.ts';
import { taskPath } from '../base/router/routes.ts';
import { absoluteWords, agoWords, deadlineWords, durationWords, reader, useNow } from '../base/time/time.ts';
import { usePages } from '../base/live/use-read.ts';
import { useTypedAhead } from '../base/page/use-typed-ahead.ts';
import { taskTitle } from '../hold/words/quoted.ts';
import { strings } from '../i18n/strings.ts';
import { failureWords } from '../hold/words/problem-words.ts';
import { awaitedWords, firstDue } from '../hold/own/own-waiting.ts';
import { statusTagOf } from '../hold/words/task-status.ts';
import { Icon } from '../ui/icons.tsx';
import { Line } from '../ui/line.tsx';
import { LabelledListbox, type Option } from '../ui/listbox.tsx';
import { PageFrame, PagedList } from '../ui/page-frame.tsx';
import { noTaskQuery, readTaskQuery, taskApiPath, tasksPath, type TaskQuery } from './task-query.ts';

const words = strings.operate;
const trimmed = (text: string): string => text.trim();
const rereadMs = 10_000;

export function TasksPage(): ReactNode {
  const query = readTaskQuery(useSearch());
  const tasks = usePages<TaskView>(taskApiPath(query), { isLive: true, everyMs: rereadMs });
  const isNarrowed = tasksPath(query) !== tasksPath(noTaskQuery);
  return (
    <PageFrame title={strings.app.pages.tasks}>
      <Search query={query} isNarrowed={isNarrowed} />
      <PagedList list={tasks} empty={<p>{isNarrowed ? words.noTaskFits : words.noTasks}</p>}>
        {(items) => (
          <ul className="lines" aria-label={strings.app.pages.tasks} aria-busy={tasks.isLoading}>
            {items.map((task) => (
              <Task key={task.id} task={task} />
            ))}
          </ul>
        )}
      </PagedList>
    </PageFrame>
  );
}

function Task({ task }: { task: TaskView }): ReactNode {
  const myId = useMe()?.id ?? null;
  const now = useNow();
  const tag = statusTagOf(task.status);
  const due = firstDue(task.waiting ?? []);
  const deadline = due === undefined ? null : deadlineWords(due.expiresAt, due.openedAt, now, reader);
  const title = taskTitle(task, 200) || strings.requests.untitled;
  const details = [
    agentTitle(task.agent),
    strings.inbox.forRequester(nameFor(task.owner, myId, strings.requests.you)),
    ...(due === undefined ? [] : [awaitedWords(due, task.owner, myId)]),
    ...(task.stuck?.cause === 'agent_away' ? [awayWords(task, task.stuck.since, now)] : []),
    ...(task.error === null ? [] : [failureWords(task.error, task.agent)]),
  ];
  return (
    <Line
      to={taskPath(task.id)}
      agent={task.agent}
      title={title}
      details={details}
      end={
        <>
          <span className={`pill ${tag.tone}`}>
            <Icon name={tag.icon} /> {tag.word}
          </span>
          <span className={dueClass(deadline?.tone)} title={absoluteWords(Date.parse(task.updatedAt), now, reader)}>
            {deadline === null ? agoWords(Date.parse(task.updatedAt), now) : words.dueIn(deadline.pill)}
          </span>
        </>
      }
    />
  );
}

/** What is due soon is seen among what is not. */
const dueClass = (tone: string | undefined = 'neutral'): string =>
  tone === 'neutral' ? 'meta num' : `pill num ${tone}`;

const awayWords = ({ agent }: TaskView, since: string, now: number): string =>
  strings.task.agentAway(agentTitle(agent), durationWords(Math.max(60_000, now - Date.parse(since))));

function Search({ query, isNarrowed }: { query: TaskQuery; isNarrowed: boolean }): ReactNode {
  const me = useMe();
  const [typed, setTyped] = useTypedAhead(query.q, trimmed, (q) =>
    navigate(tasksPath({ ...query, q: q.trim() }), { replace: true }),
  );
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
      <LabelledListbox
        label={words.status}
        value={query.status}
        options={[['', words.anyStatus], ...taskStatuses.map((one): Option => [one, strings.requests.statuses[one]])]}
        onChoose={(status) => choose({ status })}
      />
      <LabelledListbox
        label={strings.inbox.agent}
        value={query.agent}
        options={[['', strings.inbox.anyAgent], ...(me?.agents ?? []).map(({ name, title }): Option => [name, title])]}
        onChoose={(agent) => choose({ agent })}
      />
      {isNarrowed && (
        <Link className="button quiet small" to={tasksPath(noTaskQuery)} replace>
          {strings.inbox.clear}
        </Link>
      )}
    </search>
  );
}
