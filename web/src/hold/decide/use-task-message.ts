// What one writes to the agent of a task, from its page or from a question.
import { useRef } from 'react';
import type { ChatReply } from '../../../../src/contract/views/inbox.ts';
import { send, taskApi } from '../../base/live/api.ts';
import { newId } from '../../base/page/new-id.ts';

/** `answers`: the question in words that the box says it answers; null: none. */
export function useTaskMessage(taskId: string): (text: string, answers: string | null) => Promise<ChatReply> {
  // The same words once more are the same message: named when they are first sent.
  const message = useRef<{ id: string; text: string } | null>(null);
  return async (text, answers) => {
    if (message.current?.text !== text) message.current = { id: newId(), text };
    const body = { text, messageId: message.current.id, answers };
    const reply = await send<ChatReply>('POST', taskApi(taskId, '/chat/message'), body);
    message.current = null;
    return reply;
  };
}
