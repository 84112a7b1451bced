import type { HoldView } from '../contract/hold.ts';
import type { TaskView } from '../contract/task.ts';

/** Agents' text on a terminal: no control sequences. */
const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

/** Columns as wide as their longest cell (at most 60). */
export function table(rows: Record<string, string>[]): string {
  const [first] = rows;
  if (first === undefined) return '(none)';
  const names = Object.keys(first);
  const cells = [Object.fromEntries(names.map((name) => [name, name.toUpperCase()])), ...rows].map((row) =>
    names.map((name) => plain(row[name] ?? '').slice(0, 60)),
  );
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const lines = (pairs: [string, string | null][]): string =>
  pairs.flatMap(([name, value]) => (value === null ? [] : [`${`${name}:`.padEnd(12)}${plain(value)}`])).join('\n');

export function taskWords(task: TaskView): string {
  return lines([
    ['task', task.id],
    ['status', `${task.status}${task.stale === true ? ' (from the database: Temporal cannot be asked)' : ''}`],
    ['agent', task.agent],
    ['thread', task.threadId],
    ['a2a task', task.a2aTaskId],
    ['error', task.error === null ? null : `${task.error.code}: ${task.error.message}`],
    ['holds', task.holds.length === 0 ? null : task.holds.join(', ')],
    ['workflow', task.workflowId],
    ['temporal', task.temporalUrl],
    ['updated', task.updatedAt],
  ]);
}

export function holdWords(hold: HoldView): string {
  return lines([
    ['hold', hold.id],
    ['interrupt', hold.interruptId],
    ['status', hold.status],
    ['title', hold.title],
    ['message', hold.message],
    ['asked', hold.audience.join(', ')],
    ['expires', hold.expiresAt ?? 'never'],
    [
      'next step',
      hold.nextStep === null ? null : `${hold.nextStep.do} ${hold.nextStep.to.join(', ')} at ${hold.nextStep.at}`,
    ],
    ['fields', JSON.stringify(hold.schema['properties'] ?? {})],
    [
      'decision',
      hold.decision === null ? null : `${hold.decision.status} by ${hold.decision.by} at ${hold.decision.at}`,
    ],
    ['task', hold.taskId],
  ]);
}
