import { agentTitle } from '../app/names.ts';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { HoldView } from '../../../src/contract/hold.ts';
import type { ChatReply } from '../../../src/contract/inbox.ts';
import type { TaskView } from '../../../src/contract/task.ts';
import { announce } from '../app/announce.tsx';
import { ApiError, send } from '../app/api.ts';
import { describeWaiting } from '../hold/words/failure-words.ts';
import { oneLine, visible } from '../hold/text/visible.ts';
import { Link } from '../app/router.ts';
import { taskPath } from '../app/routes.ts';
import { strings } from '../i18n/strings.ts';
import { effectOf } from './task-words.ts';

const words = strings.task;

interface Props {
  task: TaskView;
  holds: readonly HoldView[];
  reread: () => Promise<void>;
}

type State =
  | { at: 'idle' }
  | { at: 'sending' }
  | { at: 'sent'; kind: ChatReply['as']; taskId: string }
  | { at: 'failed'; why: string };

/** A word to the agent; the box says beforehand what it will do. */
export function MessageBox({ task, holds, reread }: Props): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // The same words once more are the same message.
  const message = useRef<{ id: string; text: string } | null>(null);
  const [text, setText] = useState('');
  const [state, setState] = useState<State>({ at: 'idle' });
  const open = holds.filter(({ status }) => status === 'open');
  const effect = effectOf(task.status, open);
  const means = effect === 'decides' ? words.effects.decides(oneLine(open[0]?.title ?? '', 80)) : words.effects[effect];

  const say = async (): Promise<void> => {
    const said = text.trim();
    if (state.at === 'sending') return;
    if (said === '') {
      setState({ at: 'failed', why: words.empty });
      field.current?.focus();
      return;
    }
    if (message.current?.text !== said) message.current = { id: crypto.randomUUID(), text: said };
    setState({ at: 'sending' });
    try {
      const reply = await send<ChatReply>('POST', `/api/tasks/${encodeURIComponent(task.id)}/chat/message`, {
        text: said,
        messageId: message.current.id,
      });
      setText('');
      message.current = null;
      setState({ at: 'sent', kind: reply.as, taskId: reply.taskId });
      announce(words.sent[reply.as]);
    } catch (error) {
      setState({ at: 'failed', why: whyOf(error) });
    }
    await reread();
  };
  return (
    <div className="field message-box">
      <label htmlFor={id}>{words.message(agentTitle(task.agent))}</label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        dir="auto"
        maxLength={16_000}
        value={text}
        aria-describedby={`${id}-means`}
        aria-invalid={state.at === 'failed' || undefined}
        onChange={(event) => {
          setText(event.target.value);
          if (state.at !== 'sending') setState({ at: 'idle' });
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void say();
        }}
      />
      <p className="hint" id={`${id}-means`}>
        {means}
      </p>
      {state.at === 'failed' && (
        <p className="error" role="alert">
          {state.why}
        </p>
      )}
      {state.at === 'sent' && (
        <p className="ok">
          {words.sent[state.kind]}{' '}
          {state.kind === 'follow-up' && <Link to={taskPath(state.taskId)}>{words.openFollowUp}</Link>}
        </p>
      )}
      <button
        type="button"
        className="button"
        aria-disabled={state.at === 'sending' || undefined}
        onClick={() => void say()}
      >
        {state.at === 'sending' ? words.sending : words.sends[effect]}
      </button>
    </div>
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
