// What has the focus may go away with its page, its menu or its list: then what was around it has it, and keys go on from there.
import { useEffect } from 'react';

/** Parts of the page that know better where it goes have moved it by then. */
const settledMs = 60;

export function useKeptFocus(): void {
  useEffect(() => {
    /** What had the focus last, and all that it stood in. */
    let around: Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLost = (): boolean => document.activeElement === document.body && around[0]?.isConnected === false;
    const keep = (): void => {
      timer = undefined;
      if (!isLost()) return;
      const near = around.find((one) => one.isConnected && one instanceof HTMLElement && one.hasAttribute('tabindex'));
      const place = near ?? document.getElementById('content');
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    };
    const note = ({ target }: FocusEvent): void => {
      around = [];
      for (let one = target; one instanceof Element; one = one.parentElement) around.push(one);
    };
    const watch = new MutationObserver(() => {
      if (timer === undefined && isLost()) timer = setTimeout(keep, settledMs);
    });
    addEventListener('focusin', note);
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener('focusin', note);
      watch.disconnect();
      clearTimeout(timer);
    };
  }, []);
}
