import type { HoldView } from '../../contract/hold.ts';
import type { TaskView } from '../../contract/task.ts';
import { fieldLines } from './field-lines.ts';
import { formatTime } from './format-time.ts';

const maxCell = 60;

/** Agents' text on a terminal: no control sequences, and nothing that turns the rest of a line around. */
export const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** A cell's text, and a sign where it goes on. */
function cellOf(text: string): string {
  const signs = Array.from(plain(text));
  return signs.length <= maxCell ? signs.join('') : `${signs.slice(0, maxCell - 1).join('')}…`;
}

/** Columns as wide as their longest cell. */
export function table(rows: Record<string, string>[]): string {
  const [first] = rows;
  if (first === undefined) return '(none)';
  const names = Object.keys(first);
  const cells = [Object.fromEntries(names.map((name) => [name, name.toUpperCase()])), ...rows].map((row) =>
    names.map((name) => cellOf(row[name] ?? '')),
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

const nameWidth = 14;

/** A name and what it is; several lines stand below each other. */
const lines = (pairs: [string, string | string[] | null][]): string =>
  pairs
    .flatMap(([name, value]) => {
      const rest = value === null ? [] : Array.isArray(value) ? value : [value];
      return rest.map((one, index) => `${(index === 0 ? `${name}:` : '').padEnd(nameWidth)}${plain(one)}`);
    })
    .join('\n');

export function formatTask(task: TaskView): string {
  return lines([
    ['task', task.id],
    ['status', `${task.status}${task.stale === true ? ' (from the database: Temporal cannot be asked)' : ''}`],
    ['title', task.title],
    ['agent', task.agent],
    ['thread', task.threadId],
    ['restart of', task.restartOf],
    ['restarted as', task.restartedAs],
    ['a2a task', task.a2aTaskId],
    ['error', task.error === null ? null : `${task.error.code}: ${task.error.message}`],
    ['holds', task.holds.length === 0 ? null : task.holds.join(', ')],
    ['workflow', task.workflowId],
    ['temporal', task.temporalUrl],
    ['updated', formatTime(task.updatedAt)],
  ]);
}

/** What tells a question from others of its kind: the call it is about, or how its message begins where it has no title of its own. */
export const formatTitle = ({ title, lead, tool, context }: HoldView): string =>
  [title, tool === null ? (lead ?? '') : JSON.stringify(context.toolArgs)].filter((part) => part !== '').join(' ');

type Step = NonNullable<HoldView['nextStep']> & { replace?: boolean };

/** `escalate to role:lead`. */
export const formatStep = ({ do: what, to, replace = false }: Step): string =>
  to.length === 0 ? what : `${what} to ${to.join(', ')}${replace ? ' instead' : ''}`;

/** The ladder says more of the next step than its own entry does. */
const nextOf = ({ ladder, nextStep }: HoldView): Step =>
  ladder.find(({ doneAt }) => doneAt === null) ?? nextStep ?? { at: '', do: 'expire', to: [] };

const formatAudience = ({ audience, exclude, requester }: HoldView): string =>
  `${audience.join(', ')}${exclude.includes('requester') ? `, but not ${requester}, for whom it is asked` : ''}`;

function formatVotes({ votes: { have, need, by } }: HoldView): string | null {
  if (need <= 1) return null;
  return `${have} of ${need}${by.length === 0 ? '' : ` (${by.map((vote) => vote.by).join(', ')})`}`;
}

function formatCall({ status }: HoldView, { agent, until, doneAt, why }: HoldView['supervisors'][number]): string {
  if (doneAt !== null) return why === null ? `${agent} answered` : `${agent} did not decide: ${why}`;
  return status === 'open'
    ? `${agent} is being asked until ${formatTime(until)}`
    : `${agent} is not waited for any more`;
}

const formatMoves = ({ by, at, to, note }: HoldView['moves'][number]): string =>
  `to ${to.join(', ')} by ${by} at ${formatTime(at)}${note === null ? '' : `: ${note}`}`;

export function formatHold(hold: HoldView): string {
  return lines([
    ['hold', hold.id],
    ['interrupt', hold.interruptId],
    ['status', hold.status],
    ['title', hold.title],
    ['message', hold.message.split('\n').filter((line) => line.trim() !== '')],
    ['asked', formatAudience(hold)],
    ['agents', hold.supervisors.map((call) => formatCall(hold, call))],
    ['votes', formatVotes(hold)],
    ['claimed', hold.claim === null ? null : `${hold.claim.by} since ${formatTime(hold.claim.at)}`],
    ['asks', hold.reassignAsks.map(({ by, note }) => `${by} asks for others${note === null ? '' : `: ${note}`}`)],
    ['asking', hold.asking ? 'the agent was asked something back; decisions wait' : null],
    ['passed on', hold.moves.map(formatMoves)],
    [
      'expires',
      hold.status !== 'open'
        ? null
        : hold.expiresAt === null
          ? 'never'
          : `${formatTime(hold.expiresAt)}, then ${hold.expires.then}`,
    ],
    ['next step', hold.nextStep === null ? null : `${formatStep(nextOf(hold))} at ${formatTime(hold.nextStep.at)}`],
    ['tool', hold.tool === null ? null : `${hold.tool.name} ${JSON.stringify(hold.context.toolArgs)}`],
    ['links', hold.links.map(({ title, url }) => `${title}: ${url}`)],
    ['fields', fieldLines(hold)],
    [
      'decision',
      hold.decision === null
        ? null
        : `${hold.decision.status} by ${hold.decision.by} at ${formatTime(hold.decision.at)} (${hold.decision.door})`,
    ],
    ['reason', hold.decision?.reason ?? null],
    ['ended', hold.ended === null ? null : `${hold.ended.why} by ${hold.ended.by} at ${formatTime(hold.ended.at)}`],
    ['asked again', hold.supersededBy],
    ['task', hold.taskId],
  ]);
}
