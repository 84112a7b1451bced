// How a question ended, as a line of its task's conversation says it; pure.
import type { EndName } from '../../../../src/contract/holds/hold.ts';
import type { ChatMessage } from '../../../../src/contract/views/inbox.ts';
import { strings } from '../../i18n/strings.ts';
import { actorWords } from '../words/people.ts';
import { oneLine } from '../../base/text/visible.ts';

type End = NonNullable<ChatMessage['end']>;

const words = strings.task.ends;

const lines: Record<EndName, (end: End, agent: string) => string> = {
  approved: () => words.approved,
  rejected: () => words.rejected,
  answered: () => words.answered,
  declined: () => words.declined,
  expired: ({ by }) => words.expired(actorWords(by, null)),
  withdrawn: (_end, agent) => words.withdrawn(agent),
  endedWith: ({ by }) => words.endedWith(actorWords(by, null)),
  superseded: (_end, agent) => words.superseded(agent),
  cancelled: () => words.cancelled,
};

export function chatEndWords(end: End, agent: string): string {
  const text = lines[end.name](end, agent);
  return end.chosen === undefined ? text : `${text} ${strings.inbox.quoted(oneLine(end.chosen, 40))}`;
}
