// `claim`, `release`, `reassign`, `withdraw`, `undo`, `message`, `restart`, `overview`: actions other than deciding.
import type { Command } from 'commander';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { ChatReply } from '../../contract/views/inbox.ts';
import type { Overview } from '../../contract/views/operate.ts';
import type { TaskView } from '../../contract/tasks/task.ts';
import { common, examples, groups, pathOf, print, readNames } from '../operate/command-parts.ts';
import { formatSpan } from '../operate/format-time.ts';
import { createOperatorClient, type OperatorClient, type OperatorOptions } from '../operate/operator-client.ts';
import { bareNames } from '../operate/outcome-text.ts';
import { fullId } from '../operate/short-id.ts';
import { formatHold, formatTask } from '../operate/show-text.ts';
import { table } from '../operate/tables.ts';
import type { Terminal } from '../operate/terminal.ts';

const holdId = 'hold or interrupt id, or its first eight characters';
const taskId = 'task id, or its first eight characters';

export function addPeopleCommands(program: Command, terminal: Terminal): void {
  addHoldCommands(program, terminal);
  addTaskCommands(program, terminal);
}

function addHoldCommands(program: Command, terminal: Terminal): void {
  for (const [name, what] of [
    ['claim', 'says that you work on a question (others may still decide it)'],
    ['release', 'says that you do not work on it any more'],
  ] as const) {
    common(program.command(name).helpGroup(groups.answer).argument('<id>', holdId).description(what)).action(
      (id: string, options: OperatorOptions) => changeHold(terminal, id, options, `/${name}`),
    );
  }
  examples(
    common(
      program
        .command('reassign')
        .helpGroup(groups.answer)
        .argument('<id>', holdId)
        .argument('<to...>', 'who is asked instead: role:finance, user:anna')
        .description('asks others instead')
        .option('--note <text>', 'why'),
    ),
    "reassign 91b70a07 role:finance-lead --note 'above my limit'",
  ).action((id: string, to: string[], options: OperatorOptions & { note?: string }) =>
    changeHold(terminal, id, options, '/reassign', {
      to,
      ...(options.note === undefined ? {} : { note: options.note }),
    }),
  );
  examples(
    common(
      program
        .command('extend')
        .helpGroup(groups.answer)
        .argument('<id>', holdId)
        .description('moves the deadline of a question to a later time')
        .option('--by <duration>', 'how long after the present deadline: 4h, 2d')
        .option('--until <time>', 'the new deadline: 2027-06-30T18:00:00Z')
        .option('--note <text>', 'why'),
    ),
    "extend 91b70a07 --by 4h --note 'the auditor is on a plane'",
  ).action((id: string, options: OperatorOptions & { by?: string; until?: string; note?: string }) => {
    const { by, until, note } = options;
    const body = { ...(by && { by }), ...(until && { until }), ...(note && { note }) };
    return changeHold(terminal, id, options, '/extend', body);
  });
  common(
    program
      .command('withdraw')
      .helpGroup(groups.answer)
      .argument('<id>', holdId)
      .description('takes your own vote back while others are still needed'),
  ).action(async (id: string, options: OperatorOptions) => {
    const client = createOperatorClient(options);
    const hold = await client.delete<HoldView>(pathOf('holds', await fullId(client, 'holds', id), '/vote'));
    await printHold(client, terminal, options, hold);
  });
  common(
    program
      .command('undo')
      .helpGroup(groups.answer)
      .argument('<id>', holdId)
      .description('takes your own decision back that has not been sent (policies with a grace)'),
  ).action((id: string, options: OperatorOptions) => changeHold(terminal, id, options, '/undo'));
}

async function changeHold(
  terminal: Terminal,
  id: string,
  options: OperatorOptions,
  change: string,
  body?: object,
): Promise<void> {
  const client = createOperatorClient(options);
  const hold = await client.post<HoldView>(pathOf('holds', await fullId(client, 'holds', id), change), body);
  await printHold(client, terminal, options, hold);
}

function addTaskCommands(program: Command, terminal: Terminal): void {
  examples(
    common(
      program
        .command('message')
        .helpGroup(groups.answer)
        .argument('<task>', taskId)
        .argument('<text>', 'what to say')
        .description('sends a message to the agent of a task: now, before a decision, or as a follow-up'),
    ),
    "message 4be1c2d3 'Which customer is this for?'",
  ).action(async (id: string, text: string, options: OperatorOptions) => {
    const client = createOperatorClient(options);
    const path = pathOf('tasks', await fullId(client, 'tasks', id), '/chat/message');
    const reply = await client.post<ChatReply>(path, { text });
    print(terminal, options, reply, () => `${outcomes[reply.as]} (task ${reply.taskId})`);
  });
  common(
    program
      .command('restart')
      .helpGroup(groups.operate)
      .argument('<task>', `${taskId}, of a task that failed`)
      .description('tries a failed task again'),
  ).action(async (id: string, options: OperatorOptions) => {
    const client = createOperatorClient(options);
    const task = await client.post<TaskView>(pathOf('tasks', await fullId(client, 'tasks', id), '/restart'));
    print(terminal, options, task, () => formatTask(task));
  });
  common(
    program
      .command('overview')
      .helpGroup(groups.operate)
      .description('how many questions, how fast, by policy and agent')
      .option('--days <n>', 'over so many days', '30'),
  ).action(async (options: OperatorOptions & { days: string }) => {
    const query = `?days=${encodeURIComponent(options.days)}`;
    const overview = await createOperatorClient(options).get<Overview>(`/api/overview${query}`);
    print(terminal, options, overview, () => formatOverview(overview, terminal));
  });
}

/** How the server handled a message. */
const outcomes: Record<ChatReply['as'], string> = {
  decided: 'Taken as the answer to its question',
  asked: 'Asked the agent; the question waits for its reply',
  injected: 'Sent to the agent, which is at work',
  'follow-up': 'The task had ended; a follow-up began',
};

async function printHold(
  client: OperatorClient,
  terminal: Terminal,
  options: OperatorOptions,
  hold: HoldView,
): Promise<void> {
  const names = options.json ? bareNames : await readNames(client);
  print(terminal, options, hold, () =>
    formatHold(hold, names, { url: client.pageOf(`/holds/${hold.id}`), columns: terminal.columns }),
  );
}

function formatOverview({ now, policies, agents, days }: Overview, terminal: Terminal): string {
  const open = `open ${now.open}, overdue ${now.overdue}, unclaimed ${now.unclaimed}, expiring within an hour ${now.expiringWithinHour}`;
  const took = (ms: number | null): string => (ms === null ? '' : formatSpan(ms));
  const byPolicy = table(
    policies,
    [
      { name: 'policy', of: (row) => row.policy, flexible: { least: 8 } },
      { name: 'asked', of: (row) => String(row.asked) },
      { name: 'open', of: (row) => String(row.open) },
      { name: 'decided', of: (row) => String(row.decided) },
      { name: 'refused', of: (row) => String(row.refused) },
      { name: 'expired', of: (row) => String(row.expired) },
      { name: 'escalated', of: (row) => String(row.escalated), spare: 2 },
      { name: 'p50', of: (row) => took(row.p50) },
      { name: 'p90', of: (row) => took(row.p90), spare: 1 },
    ],
    terminal,
  );
  const byAgent = table(
    agents,
    [
      { name: 'agent', of: (row) => row.agent, flexible: { least: 8 } },
      { name: 'tasks', of: (row) => String(row.tasks) },
      { name: 'asked', of: (row) => String(row.asked) },
      { name: 'asked/task', of: (row) => (row.tasks === 0 ? '' : (row.asked / row.tasks).toFixed(1)) },
      {
        name: 'unchanged',
        of: (row) => (row.approvals === 0 ? '' : `${Math.round((100 * row.approvedUnchanged) / row.approvals)} %`),
      },
    ],
    terminal,
  );
  return [open, '', `by policy, ${days} days`, byPolicy, '', `by agent, ${days} days`, byAgent].join('\n');
}
