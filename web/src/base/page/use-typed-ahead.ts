// Filters that are typed: they go into the address a moment after the last letter.
import { useEffect, useRef, useState } from 'react';

const pushAfterMs = 300;

/** `keyOf` tells equal ones; `push` puts what was typed into the address, from where it comes back as `given`. */
export function useTypedAhead<T>(
  given: T,
  keyOf: (value: T) => string,
  push: (value: T) => void,
): [T, (value: T) => void] {
  const [typed, setTyped] = useState(given);
  const pushed = useRef(keyOf(given));
  const latest = useRef({ typed, push });
  latest.current = { typed, push };
  // The address may change under the field (Back, a link); what is being typed now wins over its own echo.
  if (keyOf(given) !== pushed.current) {
    pushed.current = keyOf(given);
    setTyped(given);
  }
  const wanted = keyOf(typed);
  useEffect(() => {
    if (wanted === pushed.current) return undefined;
    const timer = setTimeout(() => {
      pushed.current = wanted;
      latest.current.push(latest.current.typed);
    }, pushAfterMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  return [typed, setTyped];
}
