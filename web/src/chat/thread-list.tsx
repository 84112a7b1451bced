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
              <li key={task.threadId}>
                <Link
                  className="thread"
                  to={chatPath(name, task.threadId)}
                  aria-current={name === agent && task.threadId === threadId ? 'page' : undefined}
                >
                  <bdi className="cut" dir="auto">
                    {oneLine(task.title, 80) || task.threadId}
                  </bdi>
                  <span className={`pill ${statusTagOf(task.status).tone}`}>{stateOf(task)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
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
