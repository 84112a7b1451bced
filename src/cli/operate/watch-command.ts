// `standfast watch`: prints inbox changes, one per line, until Ctrl+C; reconnects automatically.
import type { Command } from 'commander';
import { createParser } from 'eventsource-parser';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { HoldRowView, InboxEvents } from '../../contract/views/inbox.ts';
import { CommandError } from './command-error.ts';
import { common, examples, groups, pathOf, readNames, type Names } from './command-parts.ts';
import { createOperatorClient, type OperatorClient, type OperatorOptions } from './operator-client.ts';
import { bareNames, formatActor, formatShortEnd } from './outcome-text.ts';
import { clockTime, minuteTime } from './format-time.ts';
import { plain, cut } from './tables.ts';
import { shortId } from './short-id.ts';
import { holdStyle } from './status-styles.ts';
import type { Terminal } from './terminal.ts';
import { backoff } from '../../core/base/backoff.ts';
import { sleep } from '../../host/process/sleep.ts';

const retries = { firstMs: 500, mostMs: 5_000 };
/** Number of questions whose last line is remembered. */
const maxKnown = 1_000;

export interface WatchOptions extends OperatorOptions {
  forMe?: boolean;
  agent?: string;
  new?: boolean;
  bell?: boolean;
}

type WatchEvent = { [K in keyof InboxEvents]: { event: K; data: InboxEvents[K] } }[keyof InboxEvents];

type Row = Pick<
  HoldRowView,
  | 'id'
  | 'kind'
  | 'status'
  | 'verdict'
  | 'chosen'
  | 'supersededBy'
  | 'agent'
  | 'headline'
  | 'requester'
  | 'votes'
  | 'claim'
  | 'ended'
  | 'expiresAt'
  | 'dueAt'
  | 'forMe'
> & { decides?: HoldView['decides'] };

interface Printer {
  take(event: WatchEvent): void;
  /** Prints the heading and all open questions. */
  begin(open: Row[]): void;
  /** Prints a question's current line unless it was the last one printed. */
  hold(row: Row): void;
  /** Ids of the questions last printed as open. */
  openIds(): string[];
  forget(id: string): void;
}

export function addWatchCommand(program: Command, terminal: Terminal): void {
  examples(
    common(
      program
        .command('watch')
        .helpGroup(groups.answer)
        .description('prints questions as they come, change and end')
        .option('--for-me', 'only what you may decide')
        .option('--agent <name>', 'only of this agent')
        .option('--new', 'without those that are open already')
        .option('--bell', 'rings when a question comes that you may decide'),
    ),
    'watch --for-me --bell',
    'watch --json | jq -c \'select(.event == "hold") | .data.row.headline\'',
  ).action(async (options: WatchOptions) => {
    await watch(terminal, options);
  });
}

/** Prints until it is ended, and reconnects. */
export async function watch(terminal: Terminal, options: WatchOptions): Promise<never> {
  const client = createOperatorClient(options);
  let printer: Printer | null = null;
  let failures = 0;
  for (;;) {
    const { wasConnected, why } = await watchOnce(client, options, async () => {
      printer ??= createPrinter(options, terminal, options.json ? null : await readNames(client));
      return printer;
    });
    failures = wasConnected ? 0 : failures + 1;
    terminal.warn(`reconnecting …${why === null ? '' : ` (${why})`}\n`);
    await sleep(backoff(failures, retries, Math.random()));
  }
}

interface Watched {
  wasConnected: boolean;
  /** Why the server refused; null when the connection broke. */
  why: string | null;
}

/** Follows one connection until it ends; throws CommandError when reconnecting is pointless. */
async function watchOnce(
  client: OperatorClient,
  { json }: WatchOptions,
  printerOf: () => Promise<Printer>,
): Promise<Watched> {
  let wasConnected = false;
  let why: string | null = null;
  let work = Promise.resolve();
  try {
    const printer = await printerOf();
    const parser = createParser({
      onEvent: ({ event, data }) => {
        wasConnected = true;
        // Safe: defined by the stream's contract.
        const change = { event, data: JSON.parse(data) } as WatchEvent;
        // Missed changes are read from the list before newer events are printed; JSON readers get the hello event
        // instead.
        work = work.then(async () => {
          if (event === 'hello' && !json) await catchUp(client, printer);
          else printer.take(change);
        });
      },
    });
    for await (const text of await client.stream('/api/inbox/events')) parser.feed(text);
  } catch (error) {
    // A refusal (key, permissions) says what to do; everything else is a broken connection.
    const isRefused = error instanceof CommandError && error.reason !== 'unreachable' && error.reason !== 'failed';
    if (isRefused) throw error;
    if (error instanceof CommandError) why = error.message;
  }
  await work;
  return { wasConnected, why };
}

/** Prints what is open, and the outcome of questions that were open when the connection broke. */
async function catchUp(client: OperatorClient, printer: Printer): Promise<void> {
  try {
    const { items } = await client.get<{ items: HoldView[] }>('/api/holds?status=open,time_up&limit=200');
    const gone = printer.openIds().filter((id) => !items.some((hold) => hold.id === id));
    printer.begin(items.toReversed());
    for (const id of gone) {
      const hold = await client.get<HoldView>(pathOf('holds', id)).catch(() => null);
      if (hold === null) printer.forget(id);
      else printer.hold(hold);
    }
  } catch {
    // Disconnected again: the next connection catches up.
  }
}

/** Prints a line per visible change; rows change more often than their lines. */
export function createPrinter(options: WatchOptions, terminal: Terminal, names: Names | null): Printer {
  const known = new Map<string, { text: string; isOpen: boolean }>();
  let isBegun = false;
  /** A question that was shown is followed to its end, even if this person may no longer decide it. */
  const isWanted = (row: Row): boolean =>
    known.has(row.id) ||
    ((options.agent === undefined || row.agent === options.agent) && (options.forMe !== true || row.forMe));
  const remember = (row: Row, text: string): void => {
    known.delete(row.id);
    known.set(row.id, { text, isOpen: row.ended === null });
    const [oldest] = known.keys();
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  };
  const hold = (row: Row): void => {
    const text = formatRow(row, names);
    if (!isWanted(row) || known.get(row.id)?.text === text) return;
    const isNew = !known.has(row.id) && row.ended === null;
    remember(row, text);
    const line = `${clockTime(new Date())}  ${text}`;
    const shown = terminal.columns === null ? line : cut(line, terminal.columns);
    const style = isNew ? 'bold' : holdStyle(row);
    terminal.write(`${style === null ? shown : terminal.style(style, shown)}\n`);
    if (isNew && isBegun && options.bell === true && row.forMe) terminal.warn('\u0007');
  };
  return {
    hold,
    openIds: () => [...known].flatMap(([id, { isOpen }]) => (isOpen ? [id] : [])),
    forget: (id) => void known.delete(id),
    begin(open) {
      const wanted = open.filter(isWanted);
      terminal.warn(`${wanted.length} open, then live (Ctrl+C ends)\n`);
      for (const row of wanted) {
        if (options.new === true && !isBegun) remember(row, formatRow(row, names));
        else hold(row);
      }
      isBegun = true;
    },
    take(event) {
      if (options.json) {
        if (event.event !== 'hold' || isWanted(event.data.row)) terminal.write(`${JSON.stringify(event)}\n`);
        return;
      }
      // Newer servers may send other events; the heading already has the counts.
      if (event.event === 'hold') hold(event.data.row);
    },
  };
}

/** `until … CET`; past its time it is overdue, where its policy keeps it open. */
function formatDue({ dueAt }: Pick<Row, 'dueAt'>): string {
  if (dueAt === null) return 'no deadline';
  const at = minuteTime(dueAt);
  return Date.parse(dueAt) > Date.now() ? `until ${at}` : `overdue since ${at}`;
}

function formatRow(row: Row, names: Names | null): string {
  const votes = row.votes.need > 1 ? `, ${row.votes.have} of ${row.votes.need}` : '';
  const claim = row.claim === null ? '' : `, ${formatActor(row.claim.by, names ?? bareNames)} works on it`;
  const until = formatDue(row);
  const isOpen = row.ended === null && row.status !== 'time_up';
  const state = isOpen ? `open${votes}${claim}, ${until}` : formatShortEnd(row, names ?? bareNames);
  const agent = names?.agent(row.agent) ?? row.agent;
  const requester = names?.person(row.requester) ?? row.requester;
  return `${shortId(row.id)}  ${plain(agent)}: ${plain(row.headline)} · for ${plain(requester)} · ${state}`;
}
