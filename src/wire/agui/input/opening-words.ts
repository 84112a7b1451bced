import { cutText, messageText } from '../model/text.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { ownersOf } from '../../../core/policy/audience.ts';
import { partsOfMessage } from './message-parts.ts';
import { messagesOfRun } from './run-messages.ts';

interface Opening {
  principal: Principal;
  body: JsonObject;
  messageIds: string[] | null;
}

/** What a task's owner began it with, on one line; empty where somebody else did: it is shown as theirs. */
export function openingWords({ principal, body, messageIds }: Opening, owner: string, maxChars: number): string {
  if (!ownersOf(principal).includes(owner)) return '';
  const message = messagesOfRun(body, messageIds).filter(({ role }) => role === 'user');
  const text = messageText(message.flatMap(partsOfMessage)).replaceAll(/\s+/g, ' ').trim();
  return cutText(text, maxChars);
}
