// The pages' own font: fetched once the page rests, and where the browser has it already, as the page opens.
import { whenIdle } from '../live/lazy-part.ts';
import { store, stored } from './stored.ts';

/** So long after the page has loaded; what a list needs has come by then. */
const restMs = 4_000;

async function bring(): Promise<void> {
  try {
    await import('./font.css');
    await document.fonts.load('14px Inter');
  } catch {
    // The font of the system stays.
    return;
  }
  if (stored('font') !== 'inter') store('font', 'inter');
}

export function bringFont(): void {
  const later = (): void => void setTimeout(() => whenIdle(() => void bring()), restMs);
  if (stored('font') === 'inter') void bring();
  else if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}
