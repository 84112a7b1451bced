// `message`, `restart` and `overview`: what people do about tasks.
import type { Command } from 'commander';
import type { ChatReply } from '../../contract/views/inbox.ts';
import type { Overview } from '../../contract/views/operate.ts';
import type { TaskView } from '../../contract/tasks/task.ts';
import { common, examples, groups, pathOf, print } from '../operate/command-parts.ts';
import { formatSpan } from '../operate/format-time.ts';
import { createOperatorClient, type OperatorOptions } from '../operate/operator-client.ts';
import { fullId } from '../operate/short-id.ts';
import { formatTask } from '../operate/show-text.ts';
import { table } from '../operate/tables.ts';
import type { Terminal } from '../operate/terminal.ts';

const taskId = 'task id, or its first eight characters';

export function addTaskCommands(program: Command, terminal: Terminal): void {
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
