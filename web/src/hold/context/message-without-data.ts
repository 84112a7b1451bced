// The agent's text without the data that a table next to it shows; pure.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { dictOf } from '../values/dict.ts';

/**
 * A generic question ends with its data as a fenced block, for clients that read the message alone (docs/wire.md). Its fence is
 * longer than any run of backquotes inside, so the last line that opens it is its beginning.
 */
export function messageWithoutData(
  hold: Pick<HoldView, 'dialect' | 'message' | 'schema'>,
  isDataShown: boolean,
): string {
  const { dialect, message, schema } = hold;
  const isGeneric = dialect === 'plain' && 'data' in dictOf(schema['properties']);
  const fence = /(?:^|\n)(`{3,})$/.exec(message)?.[1];
  if (!isGeneric || !isDataShown || fence === undefined) return message;
  const opening = `${fence}json\n`;
  const at = message.startsWith(opening) ? 0 : message.lastIndexOf(`\n${opening}`);
  return at === -1 ? message : message.slice(0, at).trimEnd();
}
