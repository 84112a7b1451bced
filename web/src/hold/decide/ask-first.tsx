import { agentTitle } from '../../app/names.ts';
import { type ReactNode, useId, useRef, useState } from 'react';
import { announce } from '../../app/announce.tsx';
import { ApiError, send } from '../../app/api.ts';
import { useKeys } from '../../app/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { failureWords } from '../words/failure-words.ts';
import { usePane } from '../pane.ts';

/** Typed and not sent yet: what draws the question anew, or leads away from it and back, takes nothing of it. */
const typed = new Map<string, string>();

/** Asks the agent something back before deciding; it decides nothing and buys no time. */
export function AskFirst(): ReactNode {
  const { hold, lockedWhy, myId, reread } = usePane();
  const words = strings.hold;
  const id = useId();
  const box = useRef<HTMLDetailsElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  // The same words once more are the same message: named when they are first sent.
  const message = useRef<{ id: string; text: string } | null>(null);
  const location = `${myId ?? ''} ${hold.id}`;
  const [text, setShown] = useState(typed.get(location) ?? '');
  const [wasTyped] = useState(text !== '');
  const setText = (next: string): void => {
    typed.set(location, next);
    setShown(next);
  };
  const [state, setState] = useState<'idle' | 'sending' | { why: string }>('idle');

  useKeys({
    q: () => {
      if (box.current === null) return false;
      box.current.open = true;
      field.current?.focus();
      return undefined;
    },
  });

  const ask = async (): Promise<void> => {
    const said = text.trim();
    if (said === '' || state === 'sending') {
      field.current?.focus();
      return;
    }
    if (message.current?.text !== said) message.current = { id: crypto.randomUUID(), text: said };
    setState('sending');
    try {
      await send('POST', `/api/tasks/${encodeURIComponent(hold.taskId)}/chat/message`, {
        text: said,
        messageId: message.current.id,
      });
      setText('');
      message.current = null;
      setState('idle');
      announce(words.asked);
      await reread();
    } catch (error) {
      setState({ why: whyOf(error, hold) });
    }
  };
  if (lockedWhy !== null && text === '') return null;
  return (
    <details className="ask" ref={box} open={wasTyped || undefined}>
      <summary className="button quiet" data-key="q" title={words.askWhat(agentTitle(hold.agent))}>
        {words.ask}
      </summary>
      <div className="field">
        <label className="sr-only" htmlFor={id}>
          {words.askLabel(agentTitle(hold.agent))}
        </label>
        <textarea
          id={id}
          ref={field}
          rows={2}
          dir="auto"
          maxLength={16_000}
          value={text}
          aria-describedby={`${id}-means`}
          onChange={(event) => setText(event.target.value)}
        />
        <p className="hint" id={`${id}-means`}>
          {words.askMeans}
        </p>
        {typeof state === 'object' && (
          <p className="error" role="alert">
            {state.why}
          </p>
        )}
        <button
          type="button"
          className="button"
          aria-disabled={state === 'sending' || undefined}
          onClick={() => void ask()}
        >
          {state === 'sending' ? words.sending : words.askSend}
        </button>
      </div>
    </details>
  );
}

export function whyOf(error: unknown, hold: Parameters<typeof failureWords>[1]): string {
  if (!(error instanceof ApiError)) return strings.errors.unknownRead(strings.errors.noReference);
  if (error.status === 0) return strings.app.failed;
  return failureWords(
    { code: error.code, errors: error.errors ?? [], data: error.data, requestId: error.requestId },
    hold,
    (iso) => iso,
  );
}
