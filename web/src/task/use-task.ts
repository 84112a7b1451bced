// One task as it is, with its timeline, conversation and questions; renewed while it lives.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { Chat, TimelineEntry } from '../../../src/contract/views/inbox.ts';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { ApiError, get, taskApi } from '../base/live/api.ts';
import { onGap, onRows } from '../base/live/event-stream.ts';
import { isOver } from '../hold/words/ends.ts';

export interface TaskNow {
  status: 'loading' | 'ready' | 'missing' | 'failed';
  task: TaskView | null;
  timeline: TimelineEntry[];
  /** Null while it is read for the first time: the agent may be asked for it, and be slow. */
  chat: Chat | 'failed' | null;
  holds: HoldView[];
  reread: () => Promise<void>;
}

const renewEveryMs = 4_000;
/** Renewals after which the conversation is read again though nothing moved: what others say to the agent moves nothing here. */
const chatEvery = 4;

/** The conversation, which is read apart from the task: the newest reading is the one that is shown. */
function useChat() {
  const [chat, setChat] = useState<TaskNow['chat']>(null);
  const begun = useRef(0);
  const renewals = useRef(0);
  const rereadChat = useCallback(async (path: string): Promise<void> => {
    const mine = (begun.current += 1);
    renewals.current = 0;
    const read = await get<Chat>(`${path}/chat`).catch(() => 'failed' as const);
    if (mine === begun.current) setChat(read);
  }, []);
  /** True once the task was renewed often enough since the last reading. */
  const isChatOld = useCallback(() => (renewals.current += 1) >= chatEvery, []);
  /** What is being read is shown no more. */
  const forget = useCallback(() => void (begun.current += 1), []);
  return { chat, rereadChat, isChatOld, forget };
}

export function useTask(id: string): TaskNow {
  const [status, setStatus] = useState<TaskNow['status']>('loading');
  const [task, setTask] = useState<TaskView | null>(null);
  const [timeline, setTimeline] = useState<TimelineEntry[]>([]);
  const [holds, setHolds] = useState<HoldView[]>([]);
  const isGone = useRef(false);
  const marks = useRef('');
  const { chat, rereadChat, isChatOld, forget } = useChat();

  const reread = useCallback(async (): Promise<void> => {
    const path = taskApi(id);
    try {
      const found = await get<TaskView>(path);
      if (isGone.current) return;
      setTask(found);
      setStatus('ready');
      // The rest is read again only when the task has moved.
      const mark = `${found.status} ${found.updatedAt} ${found.holds.join()} ${found.restartedAs ?? ''}`;
      if (mark === marks.current) {
        if (isChatOld()) await rereadChat(path);
        return;
      }
      // The rest is shown without waiting for the agent.
      void rereadChat(path);
      const [lines, asked] = await Promise.all([
        get<{ items: TimelineEntry[] }>(`${path}/timeline`),
        get<{ items: HoldView[] }>(`/api/holds?taskId=${encodeURIComponent(found.id)}&limit=100`),
      ]);
      if (isGone.current) return;
      marks.current = mark;
      setTimeline(lines.items);
      setHolds(asked.items);
    } catch (error) {
      if (isGone.current) return;
      const isMissing = error instanceof ApiError && (error.code === 'not_found' || error.code === 'forbidden');
      setStatus((now) => (now === 'ready' ? now : isMissing ? 'missing' : 'failed'));
    }
  }, [id, rereadChat, isChatOld]);

  useEffect(() => {
    isGone.current = false;
    marks.current = '';
    void reread();
    return () => {
      isGone.current = true;
      forget();
    };
  }, [reread, forget]);
  const taskId = task?.id ?? id;
  const isAlive = task === null || !isOver(task);
  useEffect(
    () =>
      onRows((rows) => {
        if (!rows.some((row) => row.taskId === taskId)) return;
        marks.current = '';
        void reread();
      }),
    [taskId, reread],
  );
  useEffect(
    () =>
      onGap(async () => {
        marks.current = '';
        await reread();
        return 0;
      }),
    [reread],
  );
  useEffect(() => {
    if (!isAlive) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void reread();
    }, renewEveryMs);
    return () => clearInterval(timer);
  }, [isAlive, reread]);
  return { status, task, timeline, chat, holds, reread };
}
