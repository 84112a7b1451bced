// `holdpoint watch`: the inbox as it changes, one line a change, until Ctrl+C; connects again by itself.
import type { Command } from 'commander';
import { createParser } from 'eventsource-parser';
import type { HoldRowView, InboxCounts, InboxEvents } from '../contract/inbox.ts';
import { common } from './command-parts.ts';
import { createOperatorClient } from './operator-client.ts';
import type { OperatorClient, OperatorOptions } from './operator-client.ts';
import { StartError } from './say.ts';
import { plain } from './tables.ts';

const retryMs = { first: 500, most: 15_000 };
/** Questions whose last line is remembered. */
const maxKnown = 5_000;

type WatchEvent = { [K in keyof InboxEvents]: { event: K; data: InboxEvents[K] } }[keyof InboxEvents];

export function addWatchCommand(program: Command): void {
  common(program.command('watch').description('prints questions as they come, change and end')).action(
    async (options: OperatorOptions) => {
      const client = createOperatorClient(options);
      const printer = createPrinter(options);
      let waitMs = retryMs.first;
      for (;;) {
        const wasConnected = await watchOnce(client, printer);
        waitMs = wasConnected ? retryMs.first : Math.min(retryMs.most, waitMs * 2);
        process.stderr.write('reconnecting …\n');
        await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random() / 2)));
      }
    },
  );
}

/** One connection, to its end; true when anything came. Throws StartError where trying again is of no use. */
async function watchOnce(client: OperatorClient, print: (event: WatchEvent) => void): Promise<boolean> {
  let isConnected = false;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      isConnected = true;
      print({ event, data: JSON.parse(data) } as WatchEvent);
    },
  });
  try {
    for await (const text of await client.stream('/api/inbox/events')) parser.feed(text);
  } catch (error) {
    // Refused (key, rights): the words say what to do. Anything else is a connection that broke.
    if (error instanceof StartError && /^4\d\d /.test(error.message)) throw error;
  }
  return isConnected;
}

/** A line for each change that people can see: rows change more often than what is said of them. */
function createPrinter({ json }: OperatorOptions): (event: WatchEvent) => void {
  const said = new Map<string, string>();
  const sayOnce = (name: string, words: string, line = words): void => {
    if (said.get(name) === words) return;
    said.delete(name);
    said.set(name, words);
    const [oldest] = said.keys();
    if (said.size > maxKnown && oldest !== undefined) said.delete(oldest);
    process.stdout.write(`${line}\n`);
  };
  return (event) => {
    if (json) {
      process.stdout.write(`${JSON.stringify(event)}\n`);
      return;
    }
    switch (event.event) {
      case 'hold': {
        const words = rowWords(event.data.row);
        return sayOnce(event.data.row.id, words, `${new Date().toISOString().slice(11, 19)}  ${words}`);
      }
      case 'counts':
        return sayOnce('counts', countWords(event.data));
      case 'hello':
        process.stderr.write('watching (Ctrl+C ends)\n');
        return;
      default:
        // A later server may say more.
        return;
    }
  };
}

const countWords = ({ mine, team, all }: InboxCounts): string => `          mine ${mine}, team ${team}, all ${all}`;

function rowWords(row: HoldRowView): string {
  const votes = row.votes.need > 1 ? `, ${row.votes.have} of ${row.votes.need}` : '';
  const claim = row.claim === null ? '' : `, ${row.claim.by} works on it`;
  const state =
    row.ended === null
      ? `open${votes}${claim}, ${row.expiresAt === null ? 'no end' : `until ${row.expiresAt.slice(0, 16).replace('T', ' ')} UTC`}`
      : `${row.ended.why} by ${row.ended.by}`;
  return `${row.agent}: ${plain(row.title)} · ${state} · ${row.id}`;
}
