// Two letters on a colour that stays with a name: agents in squares, people in circles; the name itself accompanies it.
import type { ReactNode } from 'react';
import { agentHue } from '../base/account/names.ts';

export function Monogram({ id, name, isPerson = false }: { id: string; name: string; isPerson?: boolean }): ReactNode {
  const shape = isPerson ? 'face' : `hue-${agentHue(id)}`;
  return (
    <span className={`monogram ${shape}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** People in a row, at most so many of them. */
export const Faces = ({ of, most }: { of: readonly { id: string; name: string }[]; most: number }): ReactNode => (
  <span className="face-row">
    {of.slice(0, most).map(({ id, name }) => (
      <Monogram key={id} id={id} name={name} isPerson />
    ))}
  </span>
);

/** `Legal review assistant` → LR, `expenses` → EX. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first = '', second = ''] = words;
  const letters =
    second === ''
      ? Array.from(first).slice(0, 2)
      : [...Array.from(first).slice(0, 1), ...Array.from(second).slice(0, 1)];
  return letters.join('').toUpperCase() || '?';
}
