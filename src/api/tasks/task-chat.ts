// A task's conversation: what its runs brought and sent, the questions between and who answered them, and what only the agent knows.
import type { TaskId } from '../../contract/base/id-types.ts';
import { stringOf } from '../../core/base/json.ts';
import { endNameOfHold } from '../../core/answers/hold-end-name.ts';
import { chosenOf } from '../../core/consent/verdict.ts';
import type { Chat, ChatMessage } from '../../contract/views/inbox.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { AgentHistoryMessage } from '../../contract/tasks/turn.ts';
import { injectedMessageIdOf, messageIdOf, ownRunIdOf } from '../../core/base/ids.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { HoldRow, RunRow, TaskRow } from '../../store/store.ts';
import { partsOfMessage } from '../../wire/agui/input/message-parts.ts';
import { messagesOfRun } from '../../wire/agui/input/run-messages.ts';
import type { ApiContext } from '../api-context.ts';
import { reduceLog } from './run-log.ts';
import { firstShownAt } from './task-timeline.ts';
import { type SentHere, mergeHistory } from './merge-history.ts';

/** Lines of one answer; a longer conversation is read at the agent. */
const maxItems = 500;
const maxText = 50_000;
/** Turns whose messages are searched for; the agent shows those of the newest anyway. */
const maxTurns = 100;

type Deps = Pick<ApiContext, 'store' | 'history'>;
type Dated = ChatMessage & { at: string };

function lineOf(message: JsonObject, details: Pick<ChatMessage, 'role' | 'by'> & { at: string }): Dated {
  const parts = partsOfMessage({ ...message, role: 'user' });
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  const files = parts.flatMap((part) =>
    part.kind === 'file' ? [{ name: part.name, mediaType: part.mediaType, url: webUrl(part.uri) }] : [],
  );
  return { id: stringOf(message['id']), ...details, text: text.slice(0, maxText), files, holdId: null };
}

/** Only what a person can open. */
const webUrl = (uri: string | null): string | null => (uri !== null && /^https?:\/\//i.test(uri) ? uri : null);

/** What a client sent with a run. */
async function linesOfInput({ store }: Deps, task: TaskRow, run: RunRow): Promise<Dated[]> {
  if (run.opener === 'standfast') return [];
  const intake = await store.intake.get(run);
  if (intake === null) return [];
  // A task that is tried again brings no message of its own.
  const isAgain = task.restartOf !== null && run.runId === restartRunIdOf(task.restartOf);
  const details = { role: 'user' as const, by: isAgain ? task.owner : intake.principal.id, at: intake.receivedAt };
  return messagesOfRun(intake.body, intake.messageIds)
    .filter((message) => message['role'] === 'user')
    .map((message) => lineOf(message, details));
}

/** Messages of the thread by id: as its last closed run left them, and as an open one has them by now. */
async function messagesById({ store }: Deps, task: TaskRow, runs: RunRow[]): Promise<Map<string, JsonObject>> {
  const kept = (await store.threads.get(task.agent, task.threadId))?.messages ?? [];
  const open = runs.findLast((run) => run.status === 'open' && !run.isControl);
  const now = open === undefined ? [] : (await reduceLog({ store }, open)).projection.messages;
  return new Map([...kept, ...now].map((message) => [stringOf(message['id']), message]));
}

/** What came after a message of the thread, up to the next one that was sent: for logs that were thinned out. */
function answersTo(ids: string[], messages: Map<string, JsonObject>): JsonObject[] {
  const all = [...messages.values()];
  const last = all.findLastIndex((message) => ids.includes(stringOf(message['id'])));
  if (last < 0) return [];
  const rest = all.slice(last + 1);
  const next = rest.findIndex((message) => message['role'] === 'user');
  return next < 0 ? rest : rest.slice(0, next);
}

interface ChatLines {
  lines: Dated[];
  /** A2A ids of Standfast's messages, each with the line that it shows. */
  sentAs: Map<string, string>;
}

async function chatLines(deps: Deps, task: TaskRow, runs: RunRow[]): Promise<ChatLines> {
  const [starts, messages] = await Promise.all([
    deps.store.log.ofType(
      runs.map((run) => run.logId),
      'TEXT_MESSAGE_START',
    ),
    messagesById(deps, task, runs),
  ]);
  const lines = new Map<string, Dated>();
  const sentAs = new Map<string, string>();
  const add = (line: Dated): void => {
    if (!lines.has(line.id) && (line.text !== '' || line.files.length > 0)) lines.set(line.id, line);
  };
  for (const run of runs) {
    const input = await linesOfInput(deps, task, run);
    for (const line of input) add(line);
    const [first] = input;
    // Several of a run's messages are one to the agent.
    if (first !== undefined && (run.isControl || sentAs.size === 0)) sentAs.set(a2aIdOf(task, run), first.id);
    const begun = starts.filter(({ logId }) => logId === run.logId).map(({ event }) => event);
    const outgoing =
      begun.length > 0
        ? begun.map((event) => messages.get(stringOf(event['messageId']))).filter((message) => message !== undefined)
        : answersTo(
            input.map(({ id }) => id),
            messages,
          );
    for (const message of outgoing) {
      const details = { at: run.startedAt };
      if (message['role'] === 'user') {
        // Writers other than the thread's owner are named.
        const line = lineOf(message, { role: 'person', by: stringOf(message['name']) || task.owner, ...details });
        add(line);
        sentAs.set(injectedMessageIdOf(sha1Hex, task.taskId, ownRunIdOf(task.taskId, `message-${line.id}`)), line.id);
      } else if (message['role'] === 'assistant') {
        add(lineOf(message, { role: 'agent', by: null, ...details }));
      }
    }
  }
  return { lines: [...lines.values()], sentAs };
}

/** Under which id the agent has what a client's run sent. */
const a2aIdOf = ({ taskId }: TaskRow, { runId, isControl }: RunRow): string =>
  isControl ? injectedMessageIdOf(sha1Hex, taskId, runId) : messageIdOf(sha1Hex, taskId, 1);

/** How it ended, as data: the page puts it into words. */
function endOf(hold: HoldRow): Pick<ChatMessage, 'end'> {
  const { question, decision, ended } = hold;
  const name = endNameOfHold(hold);
  if (ended === null || name === null) return {};
  const chosen = chosenOf(question, decision);
  return { end: { by: ended.by, name, ...(chosen !== null && { chosen }) } };
}

/** The question, and how it ended. */
function holdLines(hold: HoldRow, holds: readonly HoldRow[]): Dated[] {
  const { holdId, question, openedAt, decision, ended } = hold;
  const line = { files: [], holdId };
  const asked: Dated = {
    ...line,
    id: `hold:${holdId}`,
    role: question.kind === 'operator' ? 'system' : 'agent',
    by: null,
    at: firstShownAt(hold, holds),
    text: question.title.slice(0, maxText),
  };
  if (ended === null && decision === null) return [asked];
  const by = decision?.by ?? ended?.by ?? null;
  const isPerson = by !== null && !/^(policy|agent|operator):/.test(by);
  const text = question.kind === 'text' ? stringOf(decision?.values['text']) : '';
  const answered: Dated = {
    ...line,
    id: `end:${holdId}`,
    role: isPerson ? 'person' : 'system',
    by,
    at: decision?.at ?? ended?.at ?? openedAt,
    text: (text || (decision?.reason ?? '')).slice(0, maxText),
    ...endOf(hold),
  };
  return [asked, answered];
}

/** What this task, and others before and after it, sent to the agent's task. */
async function sentTo(
  { store }: Deps,
  task: TaskRow,
  history: readonly AgentHistoryMessage[],
  { sentAs, turns }: Pick<ChatLines, 'sentAs'> & { turns: number },
): Promise<{ sent: SentHere; history: readonly AgentHistoryMessage[] }> {
  const ownIds = Array.from({ length: Math.min(turns, maxTurns) }, (_, index) =>
    messageIdOf(sha1Hex, task.taskId, index + 1),
  );
  const [senders, tasks] = await Promise.all([
    store.intents.senders([...history.map(({ messageId }) => messageId), ...ownIds, ...sentAs.keys()]),
    store.tasks.ofA2aId(task.agent, task.a2aTaskId ?? ''),
  ]);
  const others = tasks.filter(({ taskId }) => taskId !== task.taskId);
  const isOf = (some: readonly TaskRow[]) => (id: string) => some.some(({ taskId }) => taskId === senders.get(id));
  const isLater = isOf(others.filter(({ createdAt }) => createdAt > task.createdAt));
  const isEarlier = isOf(others.filter(({ owner, createdAt }) => owner === task.owner && createdAt <= task.createdAt));
  // What another task continued is shown there.
  const end = history.findIndex(({ messageId }) => isLater(messageId));
  const own = new Set([...senders].flatMap(([id, taskId]) => (taskId === task.taskId ? [id] : [])));
  const earlier = new Set([...senders.keys()].filter(isEarlier));
  const isSeen = history.some(({ messageId }) => own.has(messageId) || earlier.has(messageId));
  return {
    history: end < 0 ? history : history.slice(0, end),
    sent: {
      own,
      lineOf: sentAs,
      openingId: messageIdOf(sha1Hex, task.taskId, 1),
      earlier,
      hidden: new Set([...senders.keys()].filter((id) => !own.has(id) && !earlier.has(id))),
      keepsIds: isSeen || (own.size === 0 && others.length === 0),
    },
  };
}

/** Oldest first; of a very long conversation the newest lines. */
export async function readChat(deps: Deps, task: TaskRow): Promise<Chat> {
  const asked = deps.history.read(task);
  const runs = await deps.store.runs.ofTask(task);
  const [{ lines, sentAs }, holds] = await Promise.all([
    chatLines(deps, task, runs),
    deps.store.holds.ofTask(task.taskId),
  ]);
  // Stable: lines of one moment stay in the order in which they were sent.
  const stored: ChatMessage[] = [...lines, ...holds.flatMap((hold) => holdLines(hold, holds))].toSorted((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
  );
  const history = await asked;
  if (history === null) return { items: stored.slice(-maxItems), source: 'stored' };
  const { history: fromAgent, sent } = await sentTo(deps, task, history, {
    sentAs,
    turns: runs.length + holds.length + 1,
  });
  return { items: mergeHistory(stored, fromAgent, sent).slice(-maxItems), source: 'agent' };
}

/** The run that tries a failed task again. */
export const restartRunIdOf = (taskId: TaskId): string => `restart-${taskId}`;
