// A component that may come later than it is shown.
import { createElement, lazy, useState, type ComponentType, type ReactNode } from 'react';

type Load<P> = () => Promise<ComponentType<P>>;

export interface LatePart<P> {
  (props: P): ReactNode;
  /** Loads it before it is shown; true once it is there. A failure is shown when it is. */
  ahead: () => Promise<boolean>;
}

/**
 * One that is there when it is first shown is drawn at once: of React's own, what stands in for it is drawn first, and nothing
 * else for 300 ms.
 */
export function latePart<P extends object>(load: Load<P>, retry: (load: Load<P>) => ReturnType<Load<P>>): LatePart<P> {
  let come: ComponentType<P> | null = null;
  const take = async (): Promise<ComponentType<P>> => (come ??= await load());
  // React wants a default export, and this code has none.
  const Late: ComponentType<P> = lazy(async () => ({ default: await retry(take) }));
  const Part = (props: P): ReactNode => {
    // The same for as long as it is shown: another type would begin again.
    const [Shown] = useState(() => come ?? Late);
    return createElement(Shown, props);
  };
  const ahead = (): Promise<boolean> =>
    take().then(
      () => true,
      () => false,
    );
  return Object.assign(Part, { ahead });
}
