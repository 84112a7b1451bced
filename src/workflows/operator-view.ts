// What operators see in Temporal's UI. All values are cut here: an oversized one makes the server end the workflow.
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { Hold } from '../contract/holds/hold.ts';
import type { TaskStatus } from '../contract/tasks/task.ts';
import type { NextStep } from '../contract/configuration/policy.ts';
import type { TaskStart } from '../contract/tasks/run.ts';
import { nextTimerAt, holdOfNextTimer, expiryActionOf } from '../core/task/hold-time.ts';
import { tallyOf } from '../core/consent/agreement.ts';
import { shownStages, stagesLine } from '../core/consent/stage.ts';
import { newestOf, openHoldsOf, type Parked, type TaskState } from '../core/task/task-state.ts';
import { cutBytes, maxSummaryBytes } from '../core/base/cut-bytes.ts';
import { utf8Length } from '../core/base/json.ts';
import { statusWords } from '../core/base/status-words.ts';
import { headlineOf } from '../core/consent/headline.ts';
import { searchAttributeKeys as keys } from './messages.ts';

const maxKeywordBytes = 200;
const maxListLength = 20;
/** The server counts a whole list as one value of at most 2,048 bytes. */
const maxListBytes = 1_500;
/** As many entries, cut, as fit into one attribute. */
function cutList(entries: string[]): string[] {
  let bytes = 0;
  return [...new Set(entries.slice(0, maxListLength).map((entry) => cutBytes(entry, maxKeywordBytes)))].filter(
    (entry) => {
      // Quotes and a comma: the list is stored as JSON.
      bytes += utf8Length(entry) + 3;
      return bytes <= maxListBytes;
    },
  );
}

/** What operators see of a running task. */
interface Shown {
  start: TaskStart;
  state: TaskState;
  /** The last turn that takes long enough to be shown while it runs. */
  shownTurn: number;
  note: string | null;
  supervisorNote: string | null;
}

/** Brings search attributes (only those that changed) and current details up to date. */
export function showState(runtime: Shown): void {
  const changed = changedAttributes(runtime);
  if (changed.length > 0) upsertSearchAttributes(changed);
  setCurrentDetails(describe(runtime));
}

function changedAttributes(runtime: Shown): SearchAttributeUpdatePair[] {
  const { state } = runtime;
  // The execution's own status shows the end: a write of the server for each that ends is not worth it.
  if (state.end !== null) return [];
  // Between two states; the next one follows at once or after a moment.
  if (state.phase === 'opening' || isMoment(runtime)) return [];
  const open = openHoldsOf(state);
  const due = open.map((hold) => hold.expiresAt).filter((at) => at !== null);
  due.sort();
  const shown = workflowInfo().typedSearchAttributes;
  const pairs: SearchAttributeUpdatePair[] = [];
  const set = (pair: SearchAttributeUpdatePair, isSame: boolean): void => {
    if (!isSame) pairs.push(pair);
  };
  const keyword = (key: (typeof keys)['agent'], value: string | null): void => {
    if (value === null) return;
    const cut = cutBytes(value, maxKeywordBytes);
    set({ key, value: cut }, shown.get(key) === cut);
  };
  keyword(keys.agent, state.agent);
  keyword(keys.a2aTaskId, state.a2aTaskId);
  keyword(keys.contextId, state.contextId);
  keyword(keys.status, state.status);
  set({ key: keys.openHolds, value: open.length }, shown.get(keys.openHolds) === open.length);
  // By number and count rows and execution are compared: a later pause has higher numbers.
  const newest = newestOf(open);
  set({ key: keys.question, value: newest }, (shown.get(keys.question) ?? null) === newest);
  const moment = (key: (typeof keys)['deadline'], at: string | null): void => {
    const value = at === null ? null : new Date(at);
    set({ key, value }, (shown.get(key)?.getTime() ?? null) === (value?.getTime() ?? null));
  };
  moment(keys.deadline, due[0] ?? null);
  // Also while it is tried again, so that each try does not cost two events.
  moment(keys.stuck, state.phase === 'turn' ? state.awaySince : null);
  const audience = cutList([...new Set(open.flatMap((hold) => hold.audience))]);
  const shownAudience = shown.get(keys.audience) ?? [];
  set(
    { key: keys.audience, value: audience.length === 0 ? null : audience },
    shownAudience.length === audience.length && audience.every((entry) => shownAudience.includes(entry)),
  );
  return pairs;
}

/** A turn with answers is usually short; a longer one is shown. */
const isMoment = ({ state, shownTurn }: Shown): boolean =>
  state.phase === 'turn' && state.send.kind === 'answers' && state.parked === null && shownTurn < state.turn;

const line = (text: string, maxBytes = 300): string => cutBytes(text.replace(/\s+/g, ' '), maxBytes);

function formatStep(step: NextStep): string {
  switch (step.do) {
    case 'remind':
      return 'remind';
    case 'escalate':
      return `escalate to ${line(step.to.join(', '), 120)}`;
    case 'expire':
      return 'expire';
    default:
      return step.do satisfies never;
  }
}

/** An agent's text as plain text: it must not look like Standfast's, nor contain links or pictures. */
const formatAgents = (text: string, maxBytes = 300): string =>
  line(text, maxBytes).replace(/[\\`*_{}[\]()<>#+|!~-]/g, '\\$&');

function formatVotes(hold: Hold): string[] {
  const { have, need } = tallyOf(hold);
  const stages = stagesLine(hold.plan.stages?.order, shownStages(hold));
  if (stages !== '') return [`- stages: ${formatAgents(stages)}`];
  if (need <= 1) return [];
  const by = hold.votes.map((vote) => vote.by).join(', ');
  return [`- votes: ${have} of ${need}${by === '' ? '' : ` (${line(by, 200)})`}`];
}

const formatOutgoing = ({ outgoing }: Hold): string[] =>
  outgoing ? [`- decided by ${line(outgoing.decision.by)}; it is sent at ${outgoing.at}`] : [];

/** The agents that were asked to decide: those that are working on it, and why others did not. */
function formatCalls({ plan }: Hold): string[] {
  return plan.supervisors.slice(-5).flatMap(({ agent, until, doneAt, why }) => {
    if (doneAt === null) return [`- agent:${agent} is being asked until ${until}`];
    return why === null ? [] : [`- agent:${agent} did not decide: ${formatAgents(why)}`];
  });
}

function formatHold(hold: Hold, publicUrl: string): string {
  const next = hold.nextStep === null ? 'none' : `${formatStep(hold.nextStep)} at ${hold.nextStep.at}`;
  return [
    `### ${formatAgents(headlineOf(hold.question), 120)}`,
    `> ${formatAgents(hold.question.message)}`,
    '',
    `- asked: ${line(hold.audience.join(', '), 200)}`,
    ...formatVotes(hold),
    ...formatCalls(hold),
    ...formatOutgoing(hold),
    ...(hold.asking ? ['- the agent is being asked something back; answers wait for its word'] : []),
    ...(hold.supersedes === null ? [] : [`- asked again, in place of ${publicUrl}/holds/${hold.supersedes}`]),
    `- open since ${hold.openedAt}, expires ${hold.expiresAt ?? 'never'} (policy ${hold.plan.policy}, then ${expiryActionOf(hold)})`,
    `- next step: ${next}`,
    `- answer here: [${publicUrl}/holds/${hold.holdId}](${publicUrl}/holds/${hold.holdId})`,
    ...(hold.plan.byTemporal === false
      ? []
      : [
          `- by Temporal CLI: signal \`formResponse\` \`{"interruptId":"${line(hold.interruptId, 260)}","values":{…}}\``,
        ]),
  ].join('\n');
}

/** Why a task failed, as its first words. */
const failures: Record<string, string> = {
  agent_failed: 'the agent failed',
  agent_rejected: 'the agent refused the task',
  agent_silent: 'the agent did not answer in time',
  agent_unreachable: 'the agent could not be reached',
  delivery_unknown: 'it is not known whether the agent got the message',
  execution_lost: 'its execution was lost',
  hold_expired: 'no answer came in time',
  internal: 'a fault of Standfast',
};

function formatFailure(status: TaskStatus, { code, message }: { code: string; message: string }): string {
  const why = Object.hasOwn(failures, code) ? `: ${failures[code]}` : '';
  const words = message.trim() === '' ? '' : `: ${formatAgents(message)}`;
  return `**${statusWords[status]}${why}**${words} (${status} ${line(code, 60)})`;
}

/** The first line: what happened, in words, and of an end its reason. */
function headOf({ status, end, agent, parked }: TaskState): string {
  const word = statusWords[status];
  switch (end?.kind) {
    case 'failed':
    case 'refused':
      return formatFailure(status, end);
    case 'canceled':
      return `**${word}** by ${line(end.by, 100)}: ${formatAgents(end.reason)}`;
    case 'ended-before':
      return `**${word}**: it had ended before Temporal was restored; the database has how`;
    case 'already-run':
      return `**${word}**: another execution had this run; this one did nothing`;
    default:
      return parked?.for === 'agent' ? formatWait(agent, parked) : `**${word}**`;
  }
}

function formatWait(agent: string, { since, again, why, isQueued }: Extract<Parked, { for: 'agent' }>): string {
  if (isQueued === true) return `**Waits for a slot of agent ${agent}**: ${line(why)}; next try ${again}`;
  return [
    `**Waits for agent ${agent}, away since ${since}** (${formatAgents(why)});`,
    `what it is to get is kept, and goes when it is back; next try ${again} at the latest`,
  ].join(' ');
}

/** Markdown for Temporal UI: status, question, who is asked, next step and when, link to the inbox. */
function describe(runtime: Shown): string {
  const { state, note, supervisorNote } = runtime;
  const lines = [headOf(state)];
  lines.push(`agent ${state.agent}, task ${state.taskId}`);
  if (state.a2aTaskId !== null) lines.push(`A2A task ${line(state.a2aTaskId)}`);
  lines.push(`[task](${runtime.start.publicUrl}/tasks/${state.taskId})`);
  if (state.parked?.for === 'news')
    lines.push(`the agent has sent nothing since ${state.parked.since}; its task is polled from time to time`);
  const open = openHoldsOf(state);
  lines.push(...open.slice(0, 10).map((hold) => formatHold(hold, runtime.start.publicUrl)));
  if (open.length > 10) lines.push(`and ${open.length - 10} more open questions`);
  if (note !== null) lines.push(`last signal not taken: ${line(note)}`);
  if (state.note !== null) lines.push(line(state.note));
  if (supervisorNote !== null) lines.push(`supervisor: ${formatAgents(supervisorNote)}`);
  return lines.join('\n\n');
}

/** Summary of the timer for the next step, or null when nothing is due. */
export function nextStepSummary(runtime: Shown): { at: string; summary: string } | null {
  const hold = holdOfNextTimer(runtime.state);
  const at = hold === null ? null : nextTimerAt(hold);
  if (hold === null || at === null) return null;
  const { outgoing, nextStep, question } = hold;
  const step = outgoing ? `send the answer of ${line(outgoing.decision.by, 80)}` : nextStep && formatStep(nextStep);
  return { at, summary: cutBytes(`${step ?? ''}: ${line(headlineOf(question))}`, maxSummaryBytes) };
}
