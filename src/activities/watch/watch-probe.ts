// Whether the agent's task has moved since it was seen last: a parked turn compares all that matters, a pause its
// message's id, which stays the same for as long as the agent asks the same. One poll proves nothing: a store may lag
// behind its stream, and of an agent's replicas each may know only its own tasks. So a poll that says nothing new is no
// news, whatever it says, and news is believed when the next poll shows it too.
import { isEndState, isPausedState } from '../../contract/tasks/agent-state-names.ts';
import type { Question } from '../../contract/holds/question.ts';
import { endedTaskOf } from '../../core/questions/asks.ts';
import { missingPolls } from '../../core/turn/pace.ts';
import type { NeutralArtifact, NeutralPart, TurnEvent } from '../../contract/tasks/turn.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import type { RunEnd } from '../../store/ports/event-log.ts';
import type { Watch } from '../../store/ports/tasks.ts';
import { messageText } from '../../wire/a2a/dialects/base/dialect.ts';
import type { TaskSnapshot } from '../a2a/a2a-find.ts';
import type { WatchPace, WatchTiming } from '../timing.ts';
import type { OpenHoldsInput } from '../../contract/tasks/activity.ts';
import { backoff } from '../../core/base/backoff.ts';

type PaceName = keyof Pick<WatchTiming, 'turn' | 'pause' | 'auth'>;

/** How long until the next poll after so many. */
export const waitMs = ({ firstMs, maxMs }: WatchPace, probes: number): number =>
  Math.round(backoff(probes, { firstMs, mostMs: maxMs }));

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

/** How soon a pause is first polled. */
export function firstProbeMs(timing: WatchTiming, questions: readonly Question[]): number {
  const isAuth = questions.some(({ kind }) => kind === 'authorization');
  return (isAuth ? timing.auth : timing.pause).firstMs;
}

export interface TaskVersion {
  hasMoved: boolean;
  /** What the next poll compares with. */
  seen: string;
  /** How long until then, while nothing moves; `confirm`: to see whether news stays. */
  pace: PaceName | 'confirm';
  /** Polls in a row that showed news. */
  polls: number;
}

/** What one poll at the agent's task came to; `gone`: the agent says that it does not know it. */
export type Polled = TurnEvent | 'gone';

/** Polls in a row that have to agree before they are believed: a replica that is wrong may be met several times. */
const pollsNeeded = { news: 2, gone: missingPolls };

/** Kept as one text: `id base length news polls`, each of the first and second empty while it is not known. */
interface Seen {
  /** The fingerprint of the pause's message id. */
  id: string;
  /** What the first poll showed: the base against which there is news. */
  base: string;
  /** The longest history so far; a task's history only grows. */
  length: number;
  news: '' | 'news' | 'gone';
  polls: number;
}

function readSeen(text: string): Seen {
  const [id = '', base = '', length = '0', news = '', polls = '0'] = text.split(' ');
  return {
    id,
    base,
    length: Number(length),
    news: news === 'news' || news === 'gone' ? news : '',
    polls: Number(polls),
  };
}

const writeSeen = ({ id, base, length, news, polls }: Seen): string => [id, base, length, news, polls].join(' ');

/** What is known of a pause before the first poll: its message's id, where the agent gives one. */
export const versionAtPause = (pauseMessageId: string | null): string =>
  writeSeen({ ...nothingSeen, id: idFingerprint(pauseMessageId ?? '') });

/** What is known of a task whose turn parks. */
export const versionAtPark = (task: TaskSnapshot): string => writeSeen({ ...nothingSeen, base: taskFingerprint(task) });

const nothingSeen: Seen = { id: '', base: '', length: 0, news: '', polls: 0 };
const idFingerprint = (messageId: string): string =>
  messageId === '' ? '' : fingerprintOf(messageId).slice('sha256:'.length, 32);

/** Judges one probe; null when what came is not a task, which proves nothing. */
export function judgeProbe(watch: Pick<Watch, 'kind' | 'seen'>, polled: Polled): TaskVersion | null {
  const seen = readSeen(watch.seen);
  if (polled === 'gone') return withNews(seen, 'gone', watch.kind);
  if (polled.type !== 'task') return null;
  const pace = watch.kind === 'turn' ? 'turn' : polled.state === 'auth-required' ? 'auth' : 'pause';
  // A task never leaves its end: no store that lags shows one.
  if (isEndState(polled.state)) return { hasMoved: true, seen: watch.seen, pace, polls: 0 };
  const fingerprint = taskFingerprint(polled);
  const known = { ...seen, base: seen.base === '' ? fingerprint : seen.base };
  if (watch.kind === 'turn')
    return fingerprint === known.base ? withoutNews(known, pace) : { hasMoved: true, seen: watch.seen, pace, polls: 0 };
  if (isNewsOfPause(seen, polled, fingerprint)) return withNews(seen, 'news', pace);
  return withoutNews({ ...known, length: Math.max(known.length, polled.history.length) }, pace);
}

function isNewsOfPause(seen: Seen, task: TaskSnapshot, fingerprint: string): boolean {
  const id = idFingerprint(task.message?.messageId ?? '');
  if (isPausedState(task.state)) {
    if (seen.id !== '' && id !== '') return seen.id !== id && fingerprint !== seen.base;
    return seen.base !== '' && seen.base !== fingerprint;
  }
  // The question has gone into the past, so this is later than the pause.
  if (seen.id !== '' && task.history.some(({ messageId }) => idFingerprint(messageId) === seen.id)) return true;
  // What the first poll shows may be as old as the task; so is what the agent's store had forgotten again.
  return seen.base !== '' && seen.base !== fingerprint && task.history.length >= seen.length;
}

function withNews(seen: Seen, news: 'news' | 'gone', pace: PaceName): TaskVersion {
  const polls = seen.news === news ? seen.polls + 1 : 1;
  if (polls >= pollsNeeded[news]) return { hasMoved: true, seen: writeSeen(seen), pace, polls };
  return { hasMoved: false, seen: writeSeen({ ...seen, news, polls }), pace: 'confirm', polls };
}

const withoutNews = (seen: Seen, pace: PaceName): TaskVersion => ({
  hasMoved: false,
  seen: writeSeen({ ...seen, news: '', polls: 0 }),
  pace,
  polls: 0,
});

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
