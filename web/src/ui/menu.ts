import { type RefObject, useEffect } from 'react';

/** A `details` that closes as menus do: by Escape, by a press or the focus elsewhere, by choosing where to go. */
export function useMenu(box: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const isOutside = (target: EventTarget | null): boolean =>
      box.current?.open === true && target instanceof Node && !box.current.contains(target);
    const close = (): void => box.current?.removeAttribute('open');
    const closeOutside = ({ target }: Event): void => {
      if (isOutside(target)) close();
    };
    // Where a press leaves the focus, or takes it nowhere, differs between browsers: both are asked.
    document.addEventListener('pointerdown', closeOutside, { signal });
    document.addEventListener('focusin', closeOutside, { signal });
    document.addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof Element && box.current?.contains(target) === true && target.closest('a') !== null)
          close();
      },
      { signal },
    );
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || box.current?.open !== true) return;
        // A list that is open in it takes the first one.
        if (event.target instanceof Element && event.target.matches('[aria-expanded=true]')) return;
        event.preventDefault();
        close();
        box.current.querySelector('summary')?.focus();
      },
      // Before the page's own Escape, which would leave the question.
      { signal, capture: true },
    );
    return () => gone.abort();
  }, [box]);
}
