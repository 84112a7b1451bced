// `claim`, `release`, `reassign`, `withdraw`, `say`, `restart`, `figures`: what people do beside deciding.
import type { Command } from 'commander';
import type { HoldView } from '../../contract/hold.ts';
import type { ChatReply, InboxMetrics } from '../../contract/inbox.ts';
import type { TaskView } from '../../contract/task.ts';
import { common, pathOf, print } from '../operate/command-parts.ts';
import { createOperatorClient } from '../operate/operator-client.ts';
import type { OperatorOptions } from '../operate/operator-client.ts';
import { formatHold, table, formatTask } from '../operate/tables.ts';
import { formatSpan } from '../operate/format-time.ts';

export function addPeopleCommands(program: Command): void {
  for (const [name, what] of [
    ['claim', 'says that you work on a question (others may still decide it)'],
    ['release', 'says that you do not work on it any more'],
  ] as const) {
    common(program.command(name).argument('<id>', 'hold or interrupt id').description(what)).action(
      async (id: string, options: OperatorOptions) => {
        const hold = await createOperatorClient(options).post<HoldView>(pathOf('holds', id, `/${name}`));
        print(options, hold, formatHold(hold));
      },
    );
  }
  common(
    program
      .command('reassign')
      .argument('<id>', 'hold or interrupt id')
      .argument('<to...>', 'who is asked instead: role:finance, user:anna')
      .description('asks others instead')
      .option('--note <text>', 'why'),
  ).action(async (id: string, to: string[], options: OperatorOptions & { note?: string }) => {
    const body = { to, ...(options.note === undefined ? {} : { note: options.note }) };
    const hold = await createOperatorClient(options).post<HoldView>(pathOf('holds', id, '/reassign'), body);
    print(options, hold, formatHold(hold));
  });
  common(
    program
      .command('withdraw')
      .argument('<id>', 'hold or interrupt id')
      .description('takes your own vote back while others are still needed'),
  ).action(async (id: string, options: OperatorOptions) => {
    const hold = await createOperatorClient(options).delete<HoldView>(pathOf('holds', id, '/vote'));
    print(options, hold, formatHold(hold));
  });
  common(
    program
      .command('say')
      .argument('<task>', 'task id')
      .argument('<text>', 'what to say')
      .description('says something to the agent of a task: now, before a decision, or as a follow-up'),
  ).action(async (id: string, text: string, options: OperatorOptions) => {
    const reply = await createOperatorClient(options).post<ChatReply>(pathOf('tasks', id, '/chat/message'), { text });
    print(options, reply, `${reply.as} (task ${reply.taskId})`);
  });
  common(
    program.command('restart').argument('<task>', 'id of a task that failed').description('tries a failed task anew'),
  ).action(async (id: string, options: OperatorOptions) => {
    const task = await createOperatorClient(options).post<TaskView>(pathOf('tasks', id, '/restart'));
    print(options, task, formatTask(task));
  });
  common(
    program
      .command('figures')
      .description('how many questions, how fast, by policy and agent')
      .option('--days <n>', 'over so many days', '30'),
  ).action(async (options: OperatorOptions & { days: string }) => {
    const query = `?days=${encodeURIComponent(options.days)}`;
    const figures = await createOperatorClient(options).get<InboxMetrics>(`/api/figures${query}`);
    print(options, figures, formatMetrics(figures));
  });
}

function formatMetrics({ now, policies, agents, days }: InboxMetrics): string {
  const open = `open ${now.open}, overdue ${now.overdue}, unclaimed ${now.unclaimed}, expiring within an hour ${now.expiringWithinHour}`;
  const byPolicy = policies.map((row) => ({
    policy: row.policy,
    asked: String(row.count),
    open: String(row.open),
    decided: String(row.decided),
    rejected: String(row.rejected),
    expired: String(row.expired),
    escalated: String(row.escalated),
    p50: row.decisionMs === null ? '' : formatSpan(row.decisionMs.p50),
    p90: row.decisionMs === null ? '' : formatSpan(row.decisionMs.p90),
    p99: row.decisionMs === null ? '' : formatSpan(row.decisionMs.p99),
  }));
  const byAgent = agents.map((row) => ({
    agent: row.agent,
    tasks: String(row.tasks),
    asks: String(row.asks),
    'asks/task': row.tasks === 0 ? '' : (row.asks / row.tasks).toFixed(1),
    unchanged: row.approvals === 0 ? '' : `${Math.round((100 * row.approvedUnchanged) / row.approvals)} %`,
  }));
  return [open, '', `by policy, ${days} days`, table(byPolicy), '', `by agent, ${days} days`, table(byAgent)].join(
    '\n',
  );
}
