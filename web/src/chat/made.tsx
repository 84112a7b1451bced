// What the last task of a conversation has made: the agent's words may point to it ("the receipt is attached").
import type { ReactNode } from 'react';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { taskApi } from '../base/live/api.ts';
import { useRead } from '../base/live/use-read.ts';
import { visible } from '../base/text/visible.ts';
import { isOver } from '../hold/words/ends.ts';
import { strings } from '../i18n/strings.ts';
import { Icon } from '../ui/icons.tsx';
import type { ChatItem } from './conversation-state.ts';

interface Props {
  task: TaskView | null;
  items: readonly ChatItem[];
}

/** The text of an artifact is a message of its own (src/wire/agui/model/message-ids.ts). */
const isMessage = (items: readonly ChatItem[], artifact: string): boolean =>
  items.some(({ id }) => /^artifact(?:\.\d+)?:/u.test(id) && id.endsWith(`:${artifact}`));

export function Made({ task, items }: Props): ReactNode {
  const { data } = useRead<TaskView>(task !== null && isOver(task) ? taskApi(task.id) : null);
  const made = (data?.artifacts ?? []).filter(({ id }) => !isMessage(items, id));
  if (made.length === 0) return null;
  return (
    <ul className="chat-made cluster" aria-label={strings.chat.made}>
      {made.map(({ id, name, url }) => (
        <li key={id}>
          <a className="button small" href={url} target="_blank" rel="noopener noreferrer" dir="auto">
            <Icon name="clip" /> {visible(name === '' ? id : name)}
          </a>
        </li>
      ))}
    </ul>
  );
}
