import { useState } from 'react';

/** Typed and not sent yet: what draws a question again, or leads away from it and back, takes nothing of it. */
const kept = new Map<string, string>();

/** Text of a field that lasts as long as the page. */
export function useKeptText(key: string): [string, (text: string) => void] {
  const [text, setShown] = useState(kept.get(key) ?? '');
  const setText = (next: string): void => {
    kept.set(key, next);
    setShown(next);
  };
  return [text, setText];
}
