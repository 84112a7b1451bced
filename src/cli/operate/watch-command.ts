// `holdpoint watch`: the inbox as it changes, one line a change, until Ctrl+C; connects again by itself.
import type { Command } from 'commander';
import { createParser } from 'eventsource-parser';
import type { HoldView } from '../../contract/hold.ts';
import type { HoldRowView, InboxCounts, InboxEvents } from '../../contract/inbox.ts';
import { common, pathOf } from './command-parts.ts';
import { createOperatorClient } from './operator-client.ts';
import type { OperatorClient, OperatorOptions } from './operator-client.ts';
import { StartError } from '../run/startup-output.ts';
import { plain } from './tables.ts';

const retryMs = { first: 500, most: 5_000 };
/** Questions whose last line is remembered. */
const maxKnown = 1_000;

type WatchEvent = { [K in keyof InboxEvents]: { event: K; data: InboxEvents[K] } }[keyof InboxEvents];

type Row = Pick<HoldRowView, 'id' | 'agent' | 'title' | 'votes' | 'claim' | 'ended' | 'expiresAt'>;

interface Printer {
  take(event: WatchEvent): void;
  /** A question as it stands now; nothing when that was said. */
  hold(row: Row): void;
  /** Questions last said to be open. */
  openIds(): string[];
  forget(id: string): void;
}

export function addWatchCommand(program: Command): void {
  common(program.command('watch').description('prints questions as they come, change and end')).action(
    async (options: OperatorOptions) => {
      const client = createOperatorClient(options);
      const printer = createPrinter(options);
      let waitMs = retryMs.first;
      for (;;) {
        const { wasConnected, why } = await watchOnce(client, printer, options);
        waitMs = wasConnected ? retryMs.first : Math.min(retryMs.most, waitMs * 2);
        process.stderr.write(`reconnecting …${why === null ? '' : ` (${why})`}\n`);
        await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random() / 2)));
      }
    },
  );
}

interface Watched {
  wasConnected: boolean;
  /** Why there was no answer; null for a connection that broke. */
  why: string | null;
}

/** One connection, to its end. Throws StartError where trying again is of no use. */
async function watchOnce(client: OperatorClient, printer: Printer, { json }: OperatorOptions): Promise<Watched> {
  let wasConnected = false;
  let why: string | null = null;
  let catchingUp = Promise.resolve();
  const parser = createParser({
    onEvent: ({ event, data }) => {
      wasConnected = true;
      printer.take({ event, data: JSON.parse(data) } as WatchEvent);
      // What was missed comes from the list; readers of JSON hear the hello and decide for themselves.
      if (event === 'hello' && !json) catchingUp = catchingUp.then(() => catchUp(client, printer));
    },
  });
  try {
    for await (const text of await client.stream('/api/inbox/events')) parser.feed(text);
  } catch (error) {
    // Refused (key, rights): the words say what to do. Anything else is a connection that broke.
    if (error instanceof StartError && /^4\d\d /.test(error.message)) throw error;
    if (error instanceof StartError) why = error.message;
  }
  await catchingUp;
  return { wasConnected, why };
}

/** Says what is open, and how those ended that were open when the connection broke. */
async function catchUp(client: OperatorClient, printer: Printer): Promise<void> {
  try {
    const { items } = await client.get<{ items: HoldView[] }>('/api/holds?status=open&limit=200');
    const gone = printer.openIds().filter((id) => !items.some((hold) => hold.id === id));
    for (const hold of items.toReversed()) printer.hold(hold);
    for (const id of gone) {
      const hold = await client.get<HoldView>(pathOf('holds', id)).catch(() => null);
      if (hold === null) printer.forget(id);
      else printer.hold(hold);
    }
  } catch {
    // Gone again: the next connection says it.
  }
}

/** A line for each change that people can see: rows change more often than what is said of them. */
function createPrinter({ json }: OperatorOptions): Printer {
  const message = new Map<string, { words: string; isOpen: boolean }>();
  let counts = '';
  const hold = (row: Row): void => {
    const text = formatRow(row);
    if (message.get(row.id)?.words === text) return;
    message.delete(row.id);
    message.set(row.id, { words: text, isOpen: row.ended === null });
    const [oldest] = message.keys();
    if (message.size > maxKnown && oldest !== undefined) message.delete(oldest);
    process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
  };
  return {
    hold,
    openIds: () => [...message].flatMap(([id, { isOpen }]) => (isOpen ? [id] : [])),
    forget: (id) => void message.delete(id),
    take(event) {
      if (json) {
        process.stdout.write(`${JSON.stringify(event)}\n`);
        return;
      }
      switch (event.event) {
        case 'hold':
          return hold(event.data.row);
        case 'counts': {
          const text = formatCounts(event.data);
          if (text !== counts) process.stdout.write(`${text}\n`);
          counts = text;
          return;
        }
        case 'hello':
          process.stderr.write('watching (Ctrl+C ends)\n');
          return;
        default:
          // A later server may say more.
          return;
      }
    },
  };
}

const formatCounts = ({ mine, team, all }: InboxCounts): string => `          mine ${mine}, team ${team}, all ${all}`;

function formatRow(row: Row): string {
  const votes = row.votes.need > 1 ? `, ${row.votes.have} of ${row.votes.need}` : '';
  const claim = row.claim === null ? '' : `, ${row.claim.by} works on it`;
  const state =
    row.ended === null
      ? `open${votes}${claim}, ${row.expiresAt === null ? 'no end' : `until ${row.expiresAt.slice(0, 16).replace('T', ' ')} UTC`}`
      : `${row.ended.why} by ${row.ended.by}`;
  return `${row.agent}: ${plain(row.title)} · ${state} · ${row.id}`;
}
