// The reader's conversations with all agents, the newest of each agent first; beside the one that is open where there is room.
import { type ReactNode, useEffect, useState } from 'react';
import type { TaskView } from '../../../src/contract/task.ts';
import { get } from '../app/api.ts';
import { useMe } from '../app/me.ts';
import { agentTitle } from '../app/names.ts';
import { Link } from '../app/router.ts';
import { chatPath } from '../app/routes.ts';
import { oneLine } from '../hold/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { isOver } from '../task/use-task.ts';

const words = strings.chat;

/** The newest task of each thread of the reader's; read again when `moved` changes. */
export function useThreads(moved: string): TaskView[] {
  const myId = useMe()?.id;
  const [threads, setThreads] = useState<TaskView[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    get<{ items: TaskView[] }>('/api/tasks?limit=100', { signal: abort.signal }).then(
      ({ items }) => {
        const newest = new Map<string, TaskView>();
        for (const task of items) {
          const key = `${task.agent} ${task.threadId}`;
          if (task.owner === myId && !newest.has(key)) newest.set(key, task);
        }
        setThreads([...newest.values()]);
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [moved, myId]);
  return threads;
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
      <p className="list-title chat-bar">{strings.app.pages.chat}</p>
      {threads.length === 0 && <p className="meta pad">{words.noThreads}</p>}
      {[...byAgent].map(([name, tasks]) => (
        <section key={name} aria-label={agentTitle(name)}>
          <div className="group-head">
            <h2>{agentTitle(name)}</h2>
          </div>
          <ul>
            {tasks.map((task) => (
              <li key={task.threadId}>
                <Link
                  className="thread"
                  to={chatPath(name, task.threadId)}
                  aria-current={name === agent && task.threadId === threadId ? 'page' : undefined}
                >
                  <bdi dir="auto">{oneLine(task.title, 80) || task.threadId}</bdi>
                  <span className={`pill ${task.status === 'NEEDS_REVIEW' ? 'warn' : ''}`}>{stateOf(task)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function stateOf(task: TaskView): string {
  if (task.status === 'NEEDS_REVIEW') return words.states.waiting;
  if (!isOver(task)) return words.states.working;
  return task.status === 'DONE' ? words.states.done : words.states.ended;
}
