import { agentTitle } from '../base/account/names.ts';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { ChatReply } from '../../../src/contract/views/inbox.ts';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { announce } from '../base/page/announce.tsx';
import { ApiError } from '../base/live/api.ts';
import { useSending } from '../base/live/use-sending.ts';
import { describeWaiting } from '../hold/answer/failure-words.ts';
import { oneLine, visible } from '../base/text/visible.ts';
import { Link } from '../base/router/router.ts';
import { taskPath } from '../base/router/routes.ts';
import { strings } from '../i18n/strings.ts';
import { ErrorText, TextField } from '../ui/controls.tsx';
import { effectOf } from './task-words.ts';
import { useTaskMessage } from '../hold/decide/use-task-message.ts';

const words = strings.task;

interface Props {
  task: TaskView;
  holds: readonly HoldView[];
  reread: () => Promise<void>;
}

/** A word to the agent; the box says beforehand what it will do. */
export function MessageBox({ task, holds, reread }: Props): ReactNode {
  const field = useRef<HTMLElement>(null);
  const sendMessage = useTaskMessage(task.id);
  const [text, setText] = useState('');
  const [sent, setSent] = useState<ChatReply | null>(null);
  const { isSending, why, fail, run } = useSending(whyOf);
  const open = holds.filter(({ status }) => status === 'open');
  const effect = effectOf(task.status, open);
  const means = effect === 'decides' ? words.effects.decides(oneLine(open[0]?.title ?? '', 80)) : words.effects[effect];

  const say = async (): Promise<void> => {
    const trimmed = text.trim();
    if (isSending) return;
    setSent(null);
    if (trimmed === '') {
      fail(words.empty);
      field.current?.focus();
      return;
    }
    await run(async () => {
      const reply = await sendMessage(trimmed, effect === 'decides' ? (open[0]?.id ?? null) : null);
      setText('');
      setSent(reply);
      announce(words.sent[reply.as]);
    });
    await reread();
  };
  return (
    <TextField
      id={useId()}
      className="field message-box"
      label={words.message(agentTitle(task.agent))}
      field={field}
      rows={3}
      maxLength={16_000}
      value={text}
      isInvalid={why !== null}
      onChange={(next) => {
        setText(next);
        fail(null);
        setSent(null);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void say();
      }}
      hint={means}
    >
      <ErrorText why={why} />
      {sent !== null && (
        <p className="ok">
          {words.sent[sent.as]}{' '}
          {sent.as === 'follow-up' && <Link to={taskPath(sent.taskId)}>{words.openFollowUp}</Link>}
        </p>
      )}
      <button type="button" className="button" aria-disabled={isSending || undefined} onClick={() => void say()}>
        {isSending ? words.sending : words.sends[effect]}
      </button>
    </TextField>
  );
}

function whyOf(error: unknown): string {
  if (!(error instanceof ApiError)) return strings.errors.unknownRead(strings.errors.noReference);
  if (error.status === 0) return strings.app.failed;
  if (error.status === 503 || error.code === 'busy') return describeWaiting(error.code, error.retryAfterMs ?? 3_000);
  if (error.code === 'not_allowed_to_decide') return strings.errors.forbidden;
  return error.detail === ''
    ? strings.errors.unknownRead(error.requestId ?? strings.errors.noReference)
    : visible(error.detail);
}
