// The reader's conversations with all agents, the newest of each agent first: next to the one that is open where there is room,
// behind a button where there is none.
import { type ReactNode, useMemo, useRef } from 'react';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { useRead } from '../base/live/use-read.ts';
import { useMe } from '../base/account/me.ts';
import { agentTitle } from '../base/account/names.ts';
import { Link } from '../base/router/router.ts';
import { chatPath } from '../base/router/routes.ts';
import { oneLine } from '../base/text/visible.ts';
import { clockAt } from '../base/time/time.ts';
import { strings } from '../i18n/strings.ts';
import { isOver } from '../hold/words/ends.ts';
import { statusTagOf } from '../hold/words/task-status.ts';
import { Icon } from '../ui/icons.tsx';
import { useMenu } from '../ui/menu.ts';

const words = strings.chat;

/** The newest task of each thread of the reader's; read again when `moved` changes. */
export function useThreads(moved: string): TaskView[] {
  const myId = useMe()?.id;
  const { data } = useRead<{ items: TaskView[] }>('/api/tasks?limit=100', { on: moved });
  return useMemo(() => {
    const newest = new Map<string, TaskView>();
    for (const task of data?.items ?? []) {
      const key = `${task.agent} ${task.threadId}`;
      if (task.owner === myId && !newest.has(key)) newest.set(key, task);
    }
    return [...newest.values()];
  }, [data, myId]);
}

interface Props {
  threads: readonly TaskView[];
  agent: string;
  threadId: string;
}

export function ThreadList({ threads, agent, threadId }: Props): ReactNode {
  const byAgent = new Map<string, TaskView[]>();
  for (const task of threads) byAgent.set(task.agent, [...(byAgent.get(task.agent) ?? []), task]);
  return (
    <nav className="chat-threads" aria-label={words.threads}>
      <p className="list-title page-bar chat-bar cluster">{strings.app.pages.chat}</p>
      {threads.length === 0 && <p className="meta pad">{words.noThreads}</p>}
      {[...byAgent].map(([name, tasks]) => (
        <section key={name} aria-label={agentTitle(name)}>
          <div className="group-head">
            <h2 className="cut">{agentTitle(name)}</h2>
          </div>
          <ul>
            {tasks.map((task) => (
              <ThreadItem key={task.threadId} task={task} isCurrent={name === agent && task.threadId === threadId} />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function ThreadItem({ task, isCurrent = false }: { task: TaskView; isCurrent?: boolean }): ReactNode {
  return (
    <li>
      <Link className="thread" to={chatPath(task.agent, task.threadId)} aria-current={isCurrent ? 'page' : undefined}>
        <bdi className="cut" dir="auto">
          {oneLine(task.title, 80) || task.threadId}
        </bdi>
        <span className="cluster">
          <span className={`pill ${statusTagOf(task.status).tone}`}>{stateOf(task)}</span>
          {/* What tells those with the same words apart. */}
          <time className="pill num" dateTime={task.createdAt}>
            {clockAt(task.createdAt)}
          </time>
        </span>
      </Link>
    </li>
  );
}

const recentAtMost = 4;

/** Below a new conversation on a narrow screen: the last ones with its agent, those that wait first. */
export function RecentThreads({ threads, agent }: Pick<Props, 'threads' | 'agent'>): ReactNode {
  const own = threads.filter((task) => task.agent === agent);
  const isWaiting = ({ status }: TaskView): boolean => status === 'NEEDS_REVIEW';
  const shown = [...own.filter(isWaiting), ...own.filter((task) => !isWaiting(task))].slice(0, recentAtMost);
  if (shown.length === 0) return null;
  return (
    <section className="chat-recent" aria-labelledby="chat-recent">
      <h2 className="label" id="chat-recent">
        {words.recent}
      </h2>
      <ul>
        {shown.map((task) => (
          <ThreadItem key={task.threadId} task={task} />
        ))}
      </ul>
    </section>
  );
}

/** The same list on a narrow screen; it closes once a conversation is chosen. */
export function ThreadMenu(props: Props): ReactNode {
  const menu = useRef<HTMLDetailsElement>(null);
  useMenu(menu);
  const waiting = props.threads.filter(({ status }) => status === 'NEEDS_REVIEW').length;
  return (
    <details ref={menu} className="menu thread-menu">
      <summary className="button small" aria-label={words.threadsWaiting(props.threads.length, waiting)}>
        <Icon name="chat" /> <span className="num">{props.threads.length}</span>
      </summary>
      <div className="menu-items">
        <ThreadList {...props} />
      </div>
    </details>
  );
}

function stateOf(task: TaskView): string {
  if (task.status === 'NEEDS_REVIEW') return words.states.waiting;
  if (!isOver(task)) return words.states.working;
  if (task.status === 'DONE') return words.states.done;
  return task.status === 'FAILED' ? words.states.failed : words.states.stopped;
}
