// What has the focus may go away with its page, its menu or its list: then what was around it has it, and keys go on from there.
import { useEffect } from 'react';

/** Parts of the page that know better where it goes have moved it by then. */
const settledMs = 60;

/** What is in a closed menu or a hidden list still exists, but cannot be reached. */
const isShown = (one: Element): boolean => one.isConnected && one.checkVisibility();

export function useKeptFocus(): void {
  useEffect(() => {
    /** What had the focus last, and all that it stood in. */
    let around: Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLost = (): boolean => {
      const [last] = around;
      const now = document.activeElement;
      // The browser takes the focus from what is no longer shown only when it draws the next time.
      return last !== undefined && (now === document.body || now === last) && !isShown(last);
    };
    const keep = (): void => {
      timer = undefined;
      if (!isLost()) return;
      const near = around.find((one) => isShown(one) && one instanceof HTMLElement && one.hasAttribute('tabindex'));
      const place = near ?? document.getElementById('content');
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    };
    const note = ({ target }: FocusEvent): void => {
      around = [];
      for (let one = target; one instanceof Element; one = one.parentElement) around.push(one);
    };
    const watch = new MutationObserver((changes) => {
      if (timer !== undefined) return;
      const mayHide = changes.some(({ type }) => type === 'attributes');
      if (mayHide || (document.activeElement === document.body && isLost())) timer = setTimeout(keep, settledMs);
    });
    addEventListener('focusin', note);
    watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open', 'hidden'] });
    return () => {
      removeEventListener('focusin', note);
      watch.disconnect();
      clearTimeout(timer);
    };
  }, []);
}
