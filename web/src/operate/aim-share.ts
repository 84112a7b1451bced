// How much of an aim was in time; pure.
import type { Operations } from '../../../src/contract/views/operations.ts';

type Figures = Operations['levels'][number]['hour'];

/** In per cent, rounded down: what is late is never rounded away. Null: there was nothing. */
export const inTimePercent = ({ total, late }: Pick<Figures, 'total' | 'late'>): number | null =>
  total === 0 ? null : Math.floor(((total - late) * 1_000) / total) / 10;
