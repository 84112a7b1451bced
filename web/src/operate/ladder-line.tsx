// The ladder as a line from the asking to the end; the sentences below it say the same.
import type { ReactNode } from 'react';
import type { PolicyDetail } from '../../../src/contract/views/operate.ts';
import { staysOpen } from '../../../src/core/policy/expiry-actions.ts';
import { ladderLine } from './policy-words.ts';

const width = 560;
const left = 12;
const right = width - 44;

export function LadderLine({ policy }: { policy: Pick<PolicyDetail, 'ladder' | 'expire'> }): ReactNode {
  const points = ladderLine(policy).map((point) => ({ ...point, x: left + point.at * (right - left) }));
  const isEndless = staysOpen(policy.expire.then);
  return (
    <svg className="ladder-line" viewBox={`0 0 ${width} 46`} aria-hidden="true" focusable="false">
      <path className="ladder-way" d={`M${left} 14H${isEndless ? width - 8 : right}`} />
      {points.map(({ kind, x, label }, index) => (
        <g key={`${index} ${kind}`} className={`ladder-${kind}`}>
          {kind === 'escalate' ? (
            <path d={`M${x} 6l8 13h-16z`} />
          ) : kind === 'end' ? (
            <rect x={x - 6} y="8" width="12" height="12" rx="2" />
          ) : (
            <circle cx={x} cy="14" r={kind === 'asked' ? 7 : 5} />
          )}
          <text x={x} y="38" textAnchor={index === 0 ? 'start' : 'middle'}>
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}
