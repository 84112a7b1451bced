import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useMedia } from '../base/page/media.ts';
import { strings } from '../i18n/strings.ts';
import { Icon } from '../ui/icons.tsx';

const words = strings.chat;

export interface Given {
  /** The field's text, by what was typed. */
  over: (typed: string) => string;
}

interface Props {
  agent: string;
  /** Why nothing can be sent now; null: it can. */
  why: string | null;
  onSay: (text: string) => void;
  /** Stops what the agent works on; null: nothing to stop. */
  onStop: (() => void) | null;
  /** It was asked to, and has not stopped yet. */
  isStopping: boolean;
  /** Back to the newest message; null: it is in view. */
  onNewest: (() => void) | null;
  /** What was chosen to be written into the field; each time another object. */
  given: Given | null;
  /** Takes the place of an element that had the focus. */
  takesFocus: boolean;
}

/** What one writes to the agent; it says why it waits, and never loses what was typed. */
export function Composer({ agent, why, onSay, onStop, isStopping, onNewest, given, takesFocus }: Props): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  // A touch keyboard has no Shift to hold: there Enter is a new line, and the button sends.
  const isTouch = useMedia('(pointer: coarse)');
  useEffect(() => {
    // On a phone it would open the keyboard over what is there to read.
    if (takesFocus && !isTouch && document.activeElement === document.body)
      field.current?.focus({ preventScroll: true });
    // Once, when it is first shown.
  }, []);
  useEffect(() => {
    if (given === null) return;
    setText(given.over);
    field.current?.focus();
  }, [given]);
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
      {onNewest !== null && (
        <button
          type="button"
          className="button small chat-newest"
          onClick={() => {
            onNewest();
            // The button is gone once the newest message is in view.
            field.current?.focus({ preventScroll: true });
          }}
        >
          <Icon name="down" /> {words.newest}
        </button>
      )}
      <label className="sr-only" htmlFor={id}>
        {words.input(agent)}
      </label>
      <div className="composer-row">
        <textarea
          id={id}
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          placeholder={words.input(agent)}
          aria-describedby={`${id}-why`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.shiftKey) return;
            if (isTouch && !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            say();
          }}
        />
        {onStop !== null ? (
          <button type="button" className="button" aria-disabled={isStopping || undefined} onClick={onStop}>
            <Icon name="stop" /> {isStopping ? words.stoppingShort : words.stop}
          </button>
        ) : (
          <button type="button" className="button primary" aria-disabled={why !== null || undefined} onClick={say}>
            <Icon name="send" /> {words.send}
          </button>
        )}
      </div>
      <p className="meta" id={`${id}-why`}>
        {why ?? (isTouch ? words.sendMeansTouch : words.sendMeans)}
      </p>
    </div>
  );
}
