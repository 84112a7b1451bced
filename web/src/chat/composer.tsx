import { type ReactNode, useId, useRef, useState } from 'react';
import { strings } from '../i18n/strings.ts';

const words = strings.chat;

interface Props {
  agent: string;
  /** Why nothing can be said now; null: it can. */
  why: string | null;
  onSay: (text: string) => void;
  children: ReactNode;
}

/** What one writes to the agent; it says why it waits, and never loses what was typed. */
export function Composer({ agent, why, onSay, children }: Props): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const say = (): void => {
    if (why !== null || text.trim() === '') {
      field.current?.focus();
      return;
    }
    onSay(text.trim());
    setText('');
  };
  return (
    <div className="composer">
      {children}
      <label className="sr-only" htmlFor={id}>
        {words.input(agent)}
      </label>
      <div className="composer-row">
        <textarea
          id={id}
          ref={field}
          rows={2}
          dir="auto"
          value={text}
          placeholder={words.input(agent)}
          aria-describedby={`${id}-why`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            say();
          }}
        />
        <button type="button" className="button primary" aria-disabled={why !== null || undefined} onClick={say}>
          {words.send}
        </button>
      </div>
      <p className="meta" id={`${id}-why`}>
        {why ?? words.sendMeans}
      </p>
    </div>
  );
}
