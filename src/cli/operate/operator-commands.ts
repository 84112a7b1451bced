import type { Command } from 'commander';
import type { HoldView } from '../../contract/hold.ts';
import type { TaskView } from '../../contract/task.ts';
import { common, pathOf, print } from './command-parts.ts';
import { createOperatorClient } from './operator-client.ts';
import type { OperatorClient, OperatorOptions } from './operator-client.ts';
import { StartError } from '../run/startup-output.ts';
import { formatHold, plain, formatStep, table, formatTask, formatTitle } from './tables.ts';
import { formatTimeUntil } from './format-time.ts';

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
interface ListOptions extends OperatorOptions {
  status?: string;
  agent?: string;
}
interface DecideOptions extends OperatorOptions {
  values?: string;
  cancel?: boolean;
  reason?: string;
  digest?: string;
}

/** `tasks`, `holds`, `show`, `decide`, `cancel`: what operators do from a terminal. */
export function addOperatorCommands(program: Command): void {
  list(program, 'tasks', 'tasks, newest first', undefined, (task: TaskView) => ({
    id: task.id,
    status: task.status,
    agent: task.agent,
    thread: task.threadId,
    updated: formatTimeUntil(task.updatedAt),
    error: task.error?.code ?? '',
  }));
  list(program, 'holds', 'questions to people (default: open ones)', 'open', (hold: HoldView) => ({
    id: hold.id,
    status: hold.status,
    agent: hold.agent,
    title: formatTitle(hold),
    asked: hold.audience.join(','),
    votes: hold.votes.need > 1 ? `${hold.votes.have}/${hold.votes.need}` : '',
    claimed: hold.claim?.by ?? '',
    next: hold.nextStep === null ? '' : `${formatStep(hold.nextStep)} ${formatTimeUntil(hold.nextStep.at)}`,
    expires: hold.status !== 'open' ? '' : hold.expiresAt === null ? 'never' : formatTimeUntil(hold.expiresAt),
  }));
  common(
    program.command('show').argument('<id>', 'task, hold or interrupt id').description('one task or hold, whole'),
  ).action(async (id: string, options: OperatorOptions) => {
    const found = await find(createOperatorClient(options), id);
    print(options, found, 'kind' in found ? formatHold(found) : formatTask(found));
  });
  common(
    program
      .command('decide')
      .argument('<id>', 'hold or interrupt id')
      .description('answers a question, or declines it')
      .option('--values <json>', 'the answer, as JSON')
      .option('--cancel', 'decline to answer')
      .option('--reason <text>', 'why it is declined')
      .option(
        '--digest <digest>',
        'of the question as it was read (`holdpoint show --json`): refused if it is another now',
      ),
  ).action(async (id: string, options: DecideOptions) => {
    const digest = options.digest === undefined ? {} : { digest: options.digest };
    const body =
      options.cancel === true
        ? { status: 'cancelled', ...digest, ...(options.reason === undefined ? {} : { reason: options.reason }) }
        : { status: 'resolved', ...digest, values: valuesOf(options.values) };
    const answer = await createOperatorClient(options).post<{ hold: HoldView; task: TaskView }>(
      pathOf('holds', id, '/decision'),
      body,
    );
    print(options, answer, `${formatDecision(answer.hold)}: ${plain(answer.hold.title)}\n${formatTask(answer.task)}`);
  });
  common(program.command('cancel').argument('<id>', 'task id').description('cancels a task, at the agent too')).action(
    async (id: string, options: OperatorOptions) => {
      const task = await createOperatorClient(options).post<TaskView>(pathOf('tasks', id, '/cancel'));
      print(options, task, formatTask(task));
    },
  );
}

function list<T>(
  program: Command,
  name: string,
  what: string,
  status: string | undefined,
  row: (item: T) => Record<string, string>,
): void {
  common(
    program
      .command(name)
      .description(what)
      .option('--status <words>', 'only these, comma-separated', status)
      .option('--agent <name>', 'only of this agent'),
  ).action(async (options: ListOptions) => {
    const client = createOperatorClient(options);
    const query = new URLSearchParams();
    if (options.status !== undefined && options.status !== 'all') query.set('status', options.status);
    if (options.agent !== undefined) query.set('agent', options.agent);
    const { items, nextCursor } = await client.get<Page<T>>(`/api/${name}?${query.toString()}`);
    const more = nextCursor === null ? '' : '\n(there are more; narrow by --status or --agent)';
    print(options, items, table(items.map(row)) + more);
  });
}

async function find(client: OperatorClient, id: string): Promise<TaskView | HoldView> {
  try {
    return await client.get<TaskView>(pathOf('tasks', id));
  } catch (error) {
    if (!(error instanceof StartError) || !error.message.startsWith('404')) throw error;
    return client.get<HoldView>(pathOf('holds', id));
  }
}

function valuesOf(text: string | undefined): unknown {
  if (text === undefined) throw new StartError('give the answer as --values \'{"field": …}\', or --cancel');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StartError(`--values is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function formatDecision({ status, votes }: HoldView): string {
  return status === 'open' ? `your answer counts, ${votes.have} of ${votes.need}` : status;
}
