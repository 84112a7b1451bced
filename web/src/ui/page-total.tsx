// How many there are, where not all of them are loaded: as the server counts them.
import type { ReactNode } from 'react';
import { useRead } from '../base/live/use-read.ts';

interface Props {
  loaded: number;
  /** There may be more. */
  isCut: boolean;
  /** Where the server counts them; null: nowhere. */
  path: string | null;
}

export function Total({ loaded, isCut, path }: Props): ReactNode {
  const asked = isCut ? path : null;
  const { data } = useRead<{ count: number; isAll: boolean }>(asked, { isLive: asked !== null });
  const { count, isAll } = data ?? { count: loaded, isAll: !isCut };
  return isAll ? count : `${count}+`;
}
