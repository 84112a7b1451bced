import { type ReactNode, useId, useRef, useState } from 'react';
import { agentTitle } from '../../base/account/names.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { announce } from '../../base/page/announce.tsx';
import { useKeys } from '../../base/page/keys.ts';
import { strings } from '../../i18n/strings.ts';
import { useTaskMessage } from './use-task-message.ts';
import { ErrorText, onSendKey, TextField } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useKeptText } from '../draft/use-kept-text.ts';
import { usePane } from '../pane/pane.ts';
import { whyOf } from '../answer/failure-words.ts';

/** Asks the agent something back before deciding; it decides nothing and buys no time. */
export function AskFirst(): ReactNode {
  const { hold, lockedWhy, myId, reread } = usePane();
  const words = strings.hold;
  const id = useId();
  const box = useRef<HTMLDetailsElement>(null);
  const field = useRef<HTMLElement>(null);
  const say = useTaskMessage(hold.taskId);
  const [text, setText] = useKeptText(`ask ${myId ?? ''} ${hold.id}`);
  const [wasTyped] = useState(text !== '');
  const { isSending, why, run } = useSending((error) => whyOf(error, hold));

  const open = (): void | false => {
    if (box.current === null) return false;
    box.current.open = true;
    field.current?.focus();
    return undefined;
  };
  useKeys({ q: open }, lockedWhy === null ? [{ key: 'q', label: words.askWhat(agentTitle(hold.agent)) }] : []);

  const ask = async (): Promise<void> => {
    const trimmed = text.trim();
    if (trimmed === '' || isSending) {
      field.current?.focus();
      return;
    }
    const isAsked = await run(() => say(trimmed, null));
    if (!isAsked) return;
    setText('');
    announce(words.asked);
    await reread();
  };
  if (lockedWhy !== null && text === '') return null;
  return (
    <details className="ask" ref={box} open={wasTyped || undefined}>
      <summary className="button quiet" data-key="q" title={words.askWhat(agentTitle(hold.agent))}>
        <Icon name="speech" /> <span className="tool-word">{words.ask}</span>
      </summary>
      <TextField
        id={id}
        label={words.askLabel(agentTitle(hold.agent))}
        isLabelHidden
        field={field}
        rows={2}
        maxLength={16_000}
        value={text}
        onChange={setText}
        onKeyDown={onSendKey(() => void ask())}
        hint={words.askMeans}
      >
        <ErrorText why={why} />
        <button type="button" className="button" aria-disabled={isSending || undefined} onClick={() => void ask()}>
          {isSending ? words.sending : words.askSend}
        </button>
      </TextField>
    </details>
  );
}
