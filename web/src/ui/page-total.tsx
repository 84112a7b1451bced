// How many there are, where not all of them are loaded: as the server counts them.
import type { ReactNode } from 'react';
import { useRead } from '../base/live/use-read.ts';

interface Props {
  loaded: number;
  /** There may be more. */
  isCut: boolean;
  /** Where the server counts them; null: nowhere. */
  path: string | null;
  /** Counted again when this is another one; missing: whenever a question has changed. */
  on?: number | null | undefined;
}

export function Total({ loaded, isCut, path, on }: Props): ReactNode {
  const asked = isCut ? path : null;
  const when = on === undefined ? { isLive: asked !== null } : { on };
  const { data } = useRead<{ count: number; isAll: boolean }>(asked, when);
  const { count, isAll } = data ?? { count: loaded, isAll: !isCut };
  return isAll ? count : `${count}+`;
}
