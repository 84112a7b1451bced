// Facts under their names, one a line.
import type { ReactNode } from 'react';
import './facts.css';

export type Fact = readonly [name: ReactNode, value: ReactNode];

/** What is empty has no line. */
export function Facts({ facts, className = '' }: { facts: readonly Fact[]; className?: string }): ReactNode {
  return (
    <dl className={`facts ${className}`}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value], index) => (
          <div key={`${index} ${String(name)}`}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
