// Text fields keep what is typed and tell the form a moment later: a form of 500 fields must not redraw at every key.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

const commitAfterMs = 150;

export interface Typed {
  text: string;
  type: (text: string) => void;
  commit: () => void;
}

export function useTyped(value: string, report: (text: string) => void, pending: RefObject<Set<() => void>>): Typed {
  const [text, setText] = useState(value);
  const latest = useRef({ text, reported: value, tell: report });
  latest.current.tell = report;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Set from outside (a default, another branch): what was reported before is not news.
  useEffect(() => {
    if (value === latest.current.reported) return;
    latest.current.reported = value;
    latest.current.text = value;
    setText(value);
  }, [value]);

  const commit = useCallback(() => {
    clearTimeout(timer.current);
    pending.current.delete(commit);
    const { text: typed, reported } = latest.current;
    if (typed === reported) return;
    latest.current.reported = typed;
    latest.current.tell(typed);
  }, [pending]);

  const type = useCallback(
    (next: string) => {
      latest.current.text = next;
      setText(next);
      pending.current.add(commit);
      clearTimeout(timer.current);
      timer.current = setTimeout(commit, commitAfterMs);
    },
    [commit, pending],
  );

  useEffect(() => {
    // Before the draft is saved for the last time; nothing is drawn any more after this.
    const leave = (): void => flushSync(commit);
    addEventListener('pagehide', leave, true);
    return () => {
      removeEventListener('pagehide', leave, true);
      commit();
    };
  }, [commit]);
  return { text, type, commit };
}
