// Whether the agent's task has moved since it was seen last: a parked turn compares all that matters, a pause its
// message's id, which stays the same for as long as the agent asks the same.
import { isEndState, isPausedState } from '../../contract/tasks/agent-state-names.ts';
import type { Question } from '../../contract/holds/question.ts';
import { endedTaskOf } from '../../core/questions/asks.ts';
import type { NeutralArtifact, NeutralPart, TurnEvent } from '../../contract/tasks/turn.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import type { RunEnd } from '../../store/ports/event-log.ts';
import type { Watch } from '../../store/ports/tasks.ts';
import { messageText } from '../../wire/a2a/dialects/base/dialect.ts';
import type { TaskSnapshot } from '../a2a/a2a-find.ts';
import type { WatchPace, WatchTiming } from '../timing.ts';
import type { OpenHoldsInput } from '../../contract/tasks/activity.ts';

type PaceName = keyof Pick<WatchTiming, 'turn' | 'pause' | 'auth'>;

const growth = 2;

/** How long until the next poll after so many. */
export function waitMs(pace: WatchPace, probes: number): number {
  return Math.round(Math.min(pace.firstMs * growth ** Math.min(probes, 50), pace.maxMs));
}

/**
 * The paces while so many are watched: an installation with a hundred thousand of them does not spend itself on polls.
 * A permission is often granted elsewhere, and keeps its pace.
 */
export function pacesFor(timing: WatchTiming, watched: Record<Watch['kind'], number>): Pick<WatchTiming, PaceName> {
  const stretched = (pace: WatchPace, count: number): WatchPace => ({
    ...pace,
    maxMs: Math.max(pace.maxMs, Math.round((count / timing.mostPerSecond) * 1000)),
  });
  return {
    turn: stretched(timing.turn, watched.turn),
    pause: stretched(timing.pause, watched.pause),
    auth: timing.auth,
  };
}

function lengthOf(part: NeutralPart): number {
  switch (part.kind) {
    case 'text':
      return part.text.length;
    case 'data':
      return JSON.stringify(part.data).length;
    case 'file':
      return (part.base64 ?? part.uri ?? '').length;
    default:
      return part satisfies never;
  }
}

/** Parts are counted, not read: streamed words come as ever more or ever longer ones. */
const sizeOf = ({ artifactId, parts }: NeutralArtifact): [string, number, number] => [
  artifactId,
  parts.length,
  parts.reduce((sum, part) => sum + lengthOf(part), 0),
];

/** One word for all of a task that people could see change. */
export function taskFingerprint(task: TaskSnapshot): string {
  const message = task.message === null ? null : [task.message.messageId, messageText(task.message)];
  return fingerprintOf([task.state, message, task.artifacts.map(sizeOf), task.history.length]);
}

/** What is known of a pause before the first poll: its message's id, where the agent gives one. */
export function versionAtPause(pauseMessageId: string | null): string {
  return pauseMessageId === null || pauseMessageId === '' ? '' : `${idFingerprint(pauseMessageId)} `;
}

const idFingerprint = (messageId: string): string => fingerprintOf(messageId).slice('sha256:'.length, 32);

/** How soon a pause is first polled. */
export function firstProbeMs(timing: WatchTiming, questions: readonly Question[]): number {
  const isAuth = questions.some(({ kind }) => kind === 'authorization');
  return (isAuth ? timing.auth : timing.pause).firstMs;
}

export interface TaskVersion {
  hasMoved: boolean;
  /** What the next poll compares with. */
  seen: string;
  /** How long until then, while nothing moves. */
  pace: PaceName;
}

/** Judges one probe; null when what came is not a task, which proves nothing. */
export function judgeProbe(watch: Pick<Watch, 'kind' | 'seen'>, event: TurnEvent): TaskVersion | null {
  if (event.type !== 'task') return null;
  return watch.kind === 'turn' ? judgeTurn(watch.seen, event) : judgePause(watch.seen, event);
}

function judgeTurn(seen: string, task: TaskSnapshot): TaskVersion {
  const fingerprint = taskFingerprint(task);
  return {
    hasMoved: isEndState(task.state) || (seen !== '' && seen !== fingerprint),
    seen: seen === '' ? fingerprint : seen,
    pace: 'turn',
  };
}

/** `seen` is the fingerprint of the pause's message id and that of the whole task, each empty while it is not known. */
function judgePause(seen: string, task: TaskSnapshot): TaskVersion {
  const [knownId = '', knownFingerprint = ''] = seen.split(' ');
  const pace = task.state === 'auth-required' ? 'auth' : 'pause';
  if (!isPausedState(task.state)) return { hasMoved: true, seen, pace };
  const messageId = task.message?.messageId ?? '';
  const id = messageId === '' ? '' : idFingerprint(messageId);
  const fingerprint = taskFingerprint(task);
  const hasMoved =
    knownId !== '' && id !== '' ? knownId !== id : knownFingerprint !== '' && knownFingerprint !== fingerprint;
  if (hasMoved) return { hasMoved, seen, pace };
  return { hasMoved, seen: `${knownId} ${fingerprint}`, pace };
}

/** While people are asked, the agent's task is polled: it may be answered elsewhere, or end. */
export function pauseWatch(timing: WatchTiming, input: OpenHoldsInput): NonNullable<RunEnd['watch']> | null {
  const { task, a2aTaskId, questions } = input;
  // What operators are asked is not a pause of the agent's.
  if (a2aTaskId === null || questions.every(({ kind }) => kind === 'operator')) return null;
  // Nor does a task that has ended change.
  if (endedTaskOf(questions) !== undefined) return null;
  const { taskId, agent, workflowId, firstExecutionRunId } = task;
  const names = { taskId, agent, workflowId, firstExecutionRunId, a2aTaskId };
  const seen = versionAtPause(input.pauseMessageId);
  const watch = { ...names, kind: 'pause' as const, watchVersion: input.n + 1, seen };
  return { task: watch, inMs: firstProbeMs(timing, questions) };
}
