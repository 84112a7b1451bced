// The two live regions of the page; both are there from the first paint, or screen readers would miss the first message.
import { useSyncExternalStore, type ReactNode } from 'react';
import { emptyQueue, queueFresh, queueText, takeNext } from './announce-queue.ts';
import { createListeners } from '../live/listeners.ts';
import { strings } from '../../i18n/strings.ts';

const changed = createListeners<[]>();
let queue = emptyQueue;
let polite = '';
let assertive = '';
let timer: ReturnType<typeof setTimeout> | null = null;

function pump(): void {
  if (timer !== null) return;
  const next = takeNext(queue, performance.now(), strings.app.newQuestions);
  if (next === null) return;
  if ('waitMs' in next) {
    timer = setTimeout(() => {
      timer = null;
      pump();
    }, next.waitMs);
    return;
  }
  queue = next.queue;
  // The same words again are a new message only when the text differs: a no-break space makes it so.
  polite = next.say === polite ? `${next.say}\u00a0` : next.say;
  changed.emit();
  pump();
}

/** Says it when the reader pauses; assertive only for the end of the very question that is open. */
export function announce(text: string, { assertive: isUrgent = false }: { assertive?: boolean } = {}): void {
  if (isUrgent) {
    assertive = text === assertive ? `${text}\u00a0` : text;
    changed.emit();
    return;
  }
  queue = queueText(queue, text);
  pump();
}

export function announceNew(count: number): void {
  queue = queueFresh(queue, count);
  pump();
}

const politeNow = (): string => polite;
const assertiveNow = (): string => assertive;

export function LiveRegions(): ReactNode {
  const calm = useSyncExternalStore(changed.add, politeNow);
  const urgent = useSyncExternalStore(changed.add, assertiveNow);
  return (
    <>
      <div className="sr-only" role="status" aria-live="polite" data-region="polite">
        {calm}
      </div>
      <div className="sr-only" role="alert" aria-live="assertive" data-region="assertive">
        {urgent}
      </div>
    </>
  );
}
