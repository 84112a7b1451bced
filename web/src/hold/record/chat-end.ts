// How a question ended, as a line of its task's conversation says it; pure.
import type { ChatMessage } from '../../../../src/contract/views/inbox.ts';
import { parseActor } from '../../../../src/core/policy/audience-entry.ts';
import { strings } from '../../i18n/strings.ts';
import { type EndGlyph, endGlyphs } from '../words/ends.ts';
import { actorWords } from '../words/people.ts';
import { oneLine } from '../../base/text/visible.ts';

type End = NonNullable<ChatMessage['end']>;

export function chatEndWords({ by, why, saidNo }: End, agent: string): string {
  const words = strings.task.ends;
  const who = actorWords(by, null);
  switch (why) {
    case 'decided':
      return saidNo === null ? words.decided : words.saidNo(oneLine(saidNo, 40));
    case 'declined':
      return words.declined;
    case 'expired':
      return words.expired(who);
    case 'withdrawn':
      return parseActor(by).kind === 'agent' ? words.withdrawn(agent) : words.endedWith(who);
    case 'superseded':
      return words.superseded(agent);
    case 'cancelled':
      return words.cancelled;
    default:
      return why satisfies never;
  }
}

export const chatEndGlyph = ({ why, saidNo }: End): EndGlyph =>
  endGlyphs[why === 'decided' && saidNo !== null ? 'declined' : why];
