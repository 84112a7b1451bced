import { hasEnded, holdEndReasons } from '../../contract/holds/hold-names.ts';
import { Option, type Command } from 'commander';
import type { HoldView } from '../../contract/holds/hold.ts';
import { askedBys, holdSorts, inboxViews, metricNames } from '../../contract/views/inbox-names.ts';
import type { TaskView } from '../../contract/tasks/task.ts';
import { CommandError } from './command-error.ts';
import {
  asChosen,
  choosing,
  common,
  examples,
  groups,
  openOnWeb,
  pathOf,
  print,
  readNames,
  type Names,
} from './command-parts.ts';
import { formatTime, formatTimeUntil } from './format-time.ts';
import { readHold, createOperatorClient, type OperatorClient, type OperatorOptions } from './operator-client.ts';
import { formatHold, formatStep, formatTask } from './show-text.ts';
import { fullId, isLikeId, shortIds } from './short-id.ts';
import { statusWords } from '../../core/base/status-words.ts';
import { holdStyle, taskStyle } from './status-styles.ts';
import { cut, table, type Column } from './tables.ts';
import type { Terminal } from './terminal.ts';

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
export type ListOptions = OperatorOptions & { forMe?: boolean } & Partial<Record<string, string | boolean>>;

type Numbered<T> = T & { shown: string };

/** A task is named by what opened it: in quotation marks where that is what its requester wrote. */
const taskTitle = ({ title, quotation }: TaskView): string => (quotation === null ? title : `“${quotation.words}”`);

const stuckText = (stuck: TaskView['stuck']): string =>
  stuck == null ? '' : `${stuck.cause} ${formatTimeUntil(stuck.since)}`;

function taskColumns(names: Names): Column<Numbered<TaskView>>[] {
  return [
    { name: 'id', of: ({ shown }) => shown },
    { name: 'status', of: ({ status }) => statusWords[status], style: ({ status }) => taskStyle(status) },
    { name: 'title', of: taskTitle, flexible: { least: 16 } },
    { name: 'agent', of: ({ agent }) => names.agent(agent), flexible: { least: 8 }, spare: 1 },
    { name: 'requester', of: ({ owner }) => names.person(owner), flexible: { least: 8 }, spare: 2 },
    { name: 'updated', of: ({ updatedAt }) => formatTimeUntil(updatedAt), spare: 3 },
    { name: 'stuck', of: ({ stuck }) => stuckText(stuck), style: () => 'yellow' },
    { name: 'error', of: ({ error }) => error?.code ?? '', style: () => 'red' },
  ];
}

const wideTaskColumns: Column<Numbered<TaskView>>[] = [
  { name: 'thread', of: ({ threadId }) => threadId },
  { name: 'begun', of: ({ createdAt }) => formatTime(createdAt) },
  { name: 'workflow', of: ({ workflowId }) => workflowId },
];

const wideHoldColumns: Column<Numbered<HoldView>>[] = [
  { name: 'kind', of: ({ kind }) => kind },
  { name: 'policy', of: ({ policy }) => policy },
  { name: 'task', of: ({ taskId }) => taskId },
  { name: 'opened', of: ({ openedAt }) => formatTime(openedAt) },
  { name: 'due', of: ({ dueAt }) => (dueAt === null ? '' : formatTime(dueAt)) },
];

const soonMs = 3_600_000;

function expiry({ status, dueAt }: HoldView): string {
  if (hasEnded(status)) return '';
  return dueAt === null ? 'never' : formatTimeUntil(dueAt);
}

const isSoon = ({ status, dueAt }: HoldView): boolean =>
  status === 'open' && dueAt !== null && Date.parse(dueAt) - Date.now() < soonMs;

/** Whatever a question has that another one with the same headline may not have, the most telling first. */
function marksOf({ headline, values, tool, context, defaults, secretPaths, about, message }: HoldView): string[] {
  const given = Object.entries({ ...context.toolArgs, ...defaults });
  const scalars = given.flatMap(([name, value]) =>
    typeof value === 'object' || secretPaths.includes(`/${name}`) ? [] : [value],
  );
  const sentences = message.slice(0, 2_000).split('\n');
  const all = [...values.map(({ value }) => value), ...scalars, tool?.name ?? '', about ?? '', ...sentences];
  return [...new Set(all.map((one) => String(one).trim()))].filter((mark) => mark !== '' && !headline.includes(mark));
}

/** How wide the headlines are at least, and how much of one that several have: what tells them apart comes after it. */
const widths = { wide: { all: 48, shared: 32 }, narrow: { all: 32, shared: 20 } };
const widthsIn = (columns: number | null) => (columns === null || columns >= 120 ? widths.wide : widths.narrow);

/** What a question is about; where others have the same headline, with what tells it from them. */
export function aboutTextOf(holds: readonly HoldView[], columns: number | null): (hold: HoldView) => string {
  const alike = new Map<string, { count: number; times: Map<string, number> }>();
  for (const hold of holds) {
    const { count, times } = alike.get(hold.headline) ?? { count: 0, times: new Map<string, number>() };
    for (const mark of marksOf(hold)) times.set(mark, (times.get(mark) ?? 0) + 1);
    alike.set(hold.headline, { count: count + 1, times });
  }
  return (hold) => {
    const { headline } = hold;
    const group = alike.get(headline);
    const all = group?.count ?? 1;
    const times = (mark: string): number => group?.times.get(mark) ?? all;
    // What it has alone comes first.
    const telling = marksOf(hold)
      .filter((mark) => times(mark) < all)
      .toSorted((a, b) => times(a) - times(b));
    return telling.length === 0
      ? headline
      : `${cut(headline, widthsIn(columns).shared)} ${telling.slice(0, 2).join(', ')}`;
  };
}

function holdColumns(
  names: Names,
  isAllOpen: boolean,
  all: readonly HoldView[],
  columns: number | null,
): Column<Numbered<HoldView>>[] {
  const nextStep = ({ nextStep: step }: HoldView): string =>
    step === null || step.do === 'expire' ? '' : `${formatStep(step)} ${formatTimeUntil(step.at)}`;
  return [
    { name: 'id', of: ({ shown }) => shown },
    { name: 'status', of: ({ status }) => (isAllOpen ? '' : status), style: (hold) => holdStyle(hold) },
    {
      name: 'about',
      of: aboutTextOf(all, columns),
      flexible: { least: widthsIn(columns).all },
    },
    { name: 'agent', of: ({ agent }) => names.agent(agent), flexible: { least: 8 }, spare: 1 },
    { name: 'requester', of: ({ requester }) => names.person(requester), flexible: { least: 8 }, spare: 4 },
    { name: 'asked', of: ({ audience }) => audience.join(','), flexible: { least: 10 }, spare: 3 },
    { name: 'votes', of: ({ votes }) => (votes.need > 1 ? `${votes.have}/${votes.need}` : ''), spare: 2 },
    { name: 'claimed', of: ({ claim }) => (claim === null ? '' : names.person(claim.by)), spare: 2 },
    { name: 'next', of: nextStep, spare: 5 },
    { name: 'expires', of: expiry, style: (hold) => (isSoon(hold) ? 'yellow' : null) },
  ];
}

/** Adds `tasks`, `holds`, `show`, `cancel` and the other operators' commands. */
export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const tasks = list(program, 'tasks', 'tasks of yours, and to operators everybody’s, newest first')
    .option('--status <words>', 'only these, comma-separated')
    .option('--mine', 'only what you began')
    .option('--stuck', 'only those that do not go on: their agent is away, or their workflow fails')
    .option('--q <words>', 'of what they began with, of agent or requester');
  examples(tasks, 'tasks --status failed', 'tasks --stuck', 'tasks --agent expenses --json').action(
    async (options: ListOptions) => {
      await printList<TaskView>({
        terminal,
        options,
        kind: 'tasks',
        filters: ['status', 'mine', 'stuck', 'q', 'agent', 'limit'],
        columnsOf: (names, _all, isWide) => [...taskColumns(names), ...(isWide ? wideTaskColumns : [])],
      });
    },
  );
  const holds = list(program, 'holds', 'questions to people (default: open ones, the earliest deadline first)')
    .option('--status <words>', 'only these, comma-separated; all for every one', 'open')
    .option('--for-me', 'only what you may decide now; the same as --view forMe')
    .addOption(new Option('--view <view>', 'a view of the page').choices(inboxViews))
    .addOption(
      new Option('--asked <how>', 'with --view forMe: asked of you by name, or of a role that you have').choices(
        askedBys,
      ),
    )
    .addOption(new Option('--metric <name>', 'only those that this number of the overview counts').choices(metricNames))
    .option('--kind <words>', 'form, confirmation, tool_call, authorization, text, operator')
    .option('--policy <name>', 'only of this policy')
    .option('--q <words>', 'that occur in its text, values, agent or requester')
    .option('--requester <name>', 'only for this person')
    .option('--end <words>', `with --view decided: ${holdEndReasons.join(', ')}`)
    .option('--ended-by <name>', 'with --view decided: by this person')
    .addOption(new Option('--sort <order>', 'what comes first').choices(holdSorts).default('deadline'))
    .option('-w, --watch', 'goes on: prints what comes, changes and ends, as watch does; with --for-me and --agent');
  examples(holds, 'holds --for-me', "holds --q 'miller refund'", 'holds --view decided --limit 20').action(
    async (options: ListOptions) => {
      if (options['watch'] === true) return watchList(terminal, options);
      const view = options.forMe === true ? 'forMe' : options['view'];
      const status = options['status'] === 'all' || view === 'decided' ? undefined : options['status'];
      const { status: _status, view: _view, ...rest } = options;
      await printList<HoldView>({
        terminal,
        options: { ...rest, ...(view === undefined ? {} : { view }), ...(status === undefined ? {} : { status }) },
        kind: 'holds',
        filters: ['status', 'view', ...holdFilters, 'end', 'endedBy', 'sort', 'limit'],
        columnsOf: (names, all, isWide) => [
          ...holdColumns(names, status === 'open', all, isWide ? null : terminal.columns),
          ...(isWide ? wideHoldColumns : []),
        ],
      });
    },
  );
  examples(
    choosing(
      program
        .command('show')
        .helpGroup(groups.answer)
        .argument('[id]', 'task, hold or interrupt id, or its first eight characters')
        .description('one task or question, whole')
        .option('--web', 'opens its page in the browser'),
    ),
    'show 91b70a07',
    'show 91b70a07 --json headline,decision.by',
    'show 91b70a07 --web',
  ).action(async (argument: string | undefined, given: OperatorOptions & { web?: boolean }) => {
    const { id, options } = withId(argument, given);
    const client = createOperatorClient(options);
    const found = await find(client, id);
    const url = client.pageOf('kind' in found ? `/holds/${found.id}` : `/tasks/${found.id}`);
    if (options.web === true) return openOnWeb(terminal, url);
    if (options.json) return print(terminal, options, asChosen(found, options), () => '');
    const names = await readNames(client);
    const shown = { url, columns: terminal.columns, paint: terminal.style };
    terminal.write(`${'kind' in found ? formatHold(found, names, shown) : formatTask(found, names, shown)}\n`);
  });
  common(
    program
      .command('cancel')
      .helpGroup(groups.operate)
      .argument('<id>', 'task id, or its first eight characters')
      .description('cancels a task, at the agent too'),
  ).action(async (id: string, options: OperatorOptions) => {
    const client = createOperatorClient(options);
    const task = await client.post<TaskView>(pathOf('tasks', await fullId(client, 'tasks', id), '/cancel'));
    print(terminal, options, task, () => formatTask(task));
  });
}

/** `--json` before the id takes it for the names of members. */
function withId<O extends OperatorOptions>(id: string | undefined, options: O): { id: string; options: O } {
  if (id !== undefined) return { id, options };
  const { json } = options;
  if (typeof json === 'string' && isLikeId(json)) return { id: json, options: { ...options, json: true } };
  throw new CommandError('usage', 'show needs the id of a task or question (standfast holds lists them)');
}

/** Only what each event says can be followed. */
async function watchList(terminal: Terminal, { forMe, agent, ...options }: ListOptions): Promise<void> {
  const narrowed = [...holdFilters, 'view', 'end', 'endedBy'].filter((name) => options[name] !== undefined);
  if (narrowed.length > 0)
    throw new CommandError('usage', `-w follows with --for-me and --agent alone, not with ${narrowed.join(', ')}`);
  const { watch } = await import('./watch-command.ts');
  await watch(terminal, {
    ...options,
    ...(forMe === undefined ? {} : { forMe }),
    ...(typeof agent === 'string' ? { agent } : {}),
  });
}

/** Options that narrow a list of open questions, as the api names them. */
const holdFilters = ['asked', 'kind', 'policy', 'metric', 'q', 'requester', 'agent'];

/** What the options of `holds` ask the api for: the open questions among them. */
export function openHoldsQuery(options: ListOptions): URLSearchParams {
  const view = options.forMe === true ? 'forMe' : options['view'];
  return queryOf({ ...options, ...(view === undefined ? {} : { view }), status: 'open' }, [
    ...holdFilters,
    'view',
    'status',
  ]);
}

function queryOf(options: ListOptions, filters: readonly string[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of filters) {
    const value = options[name];
    if (typeof value === 'string' && value !== 'all') query.set(name, value);
    if (value === true) query.set(name, 'true');
  }
  return query;
}

/** Open questions as a table, with short ids. */
export async function holdTable(
  client: OperatorClient,
  holds: readonly HoldView[],
  terminal: Terminal,
): Promise<string> {
  const names = await readNames(client);
  return tableOf(holds, holdColumns(names, true, holds, terminal.columns), terminal);
}

function tableOf<T extends { id: string }>(
  items: readonly T[],
  columns: Column<Numbered<T>>[],
  terminal: Terminal,
  isWide = false,
): string {
  const all = items.map(({ id }) => id);
  const ids = isWide ? all : shortIds(all);
  const rows = items.map((item, at): Numbered<T> => ({ ...item, shown: ids[at] ?? item.id }));
  return table(rows, columns, terminal);
}

const list = (program: Command, name: string, what: string): Command =>
  choosing(
    program
      .command(name)
      .helpGroup(name === 'holds' ? groups.answer : groups.operate)
      .description(what),
  )
    .option('--agent <name>', 'only of this agent')
    .option('--limit <n>', 'at most so many', '50')
    .addOption(new Option('-o, --output <how>', 'wide: all columns and whole lines, with full ids').choices(['wide']))
    .option('--web', 'opens the list in the browser');

interface Listing<T> {
  terminal: Terminal;
  options: ListOptions;
  kind: 'holds' | 'tasks';
  filters: string[];
  columnsOf: (names: Names, all: readonly T[], isWide: boolean) => Column<Numbered<T>>[];
}

async function printList<T extends { id: string }>({
  terminal,
  options,
  kind,
  filters,
  columnsOf,
}: Listing<T>): Promise<void> {
  const client = createOperatorClient(options);
  const query = queryOf(options, filters);
  if (options['web'] === true) return openOnWeb(terminal, client.pageOf(pageQuery(kind, query)));
  const { items, nextCursor } = await client.get<Page<T>>(`/api/${kind}?${query.toString()}`);
  if (options.json) return print(terminal, options, asChosen(items, options), () => '');
  const names = await readNames(client);
  const more = nextCursor === null ? '' : `\n(there are more: narrow the list, or raise --limit)`;
  const isWide = options['output'] === 'wide';
  const shown = isWide ? { ...terminal, columns: null } : terminal;
  terminal.write(`${tableOf(items, columnsOf(names, items, isWide), shown, isWide)}${more}\n`);
}

/** The list on its page, as far as that filters by the same. */
function pageQuery(kind: 'holds' | 'tasks', query: URLSearchParams): string {
  const known = kind === 'holds' ? ['view', 'asked', 'kind', 'policy', 'q', 'requester', 'agent'] : ['q', 'agent'];
  const narrowed = new URLSearchParams([...query].filter(([name]) => known.includes(name)));
  const path = kind === 'tasks' ? '/tasks' : query.get('view') === 'decided' ? '/history' : '/';
  return narrowed.size === 0 ? path : `${path}?${narrowed.toString()}`;
}

const isNotFound = (error: unknown): error is CommandError =>
  error instanceof CommandError && error.reason === 'notFound';

async function find(client: OperatorClient, id: string): Promise<TaskView | HoldView> {
  try {
    return await client.get<TaskView>(pathOf('tasks', await fullId(client, 'tasks', id)));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  try {
    return await readHold(client, await fullId(client, 'holds', id));
  } catch (error) {
    if (!isNotFound(error) || error.status !== null) throw error;
    throw new CommandError('notFound', `nothing that you may see has an id that begins with ${id}`);
  }
}
