// Two letters on a colour that stays with a name: agents in squares, people in circles; the name itself stands beside.
import type { ReactNode } from 'react';
import { hueOf, initialsOf } from './initials.ts';

export function Monogram({ id, name, isPerson = false }: { id: string; name: string; isPerson?: boolean }): ReactNode {
  const shape = isPerson ? 'face' : `hue-${hueOf(id)}`;
  return (
    <span className={`monogram ${shape}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
