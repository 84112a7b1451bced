// The last fourteen days of an agent: what it asked as bars, and days with failed tasks marked; the sums are in words.
import type { ReactNode } from 'react';
import type { AgentDetail } from '../../../src/contract/views/operate.ts';
import { strings } from '../i18n/strings.ts';

const words = strings.operate;
const high = 28;
const step = 8;

export function Sparkline({ lately }: Pick<AgentDetail, 'lately'>): ReactNode {
  const asked = lately.reduce((sum, day) => sum + day.asked, 0);
  const failed = lately.reduce((sum, day) => sum + day.failed, 0);
  const most = Math.max(1, ...lately.map((day) => day.asked));
  return (
    <p className="sparkline cluster">
      {asked + failed > 0 && (
        <svg viewBox={`0 0 ${lately.length * step} ${high + 6}`} aria-hidden="true" focusable="false">
          {lately.map((day, index) => {
            const height = day.asked === 0 ? 1 : Math.max(2, (high * day.asked) / most);
            return (
              <g key={index}>
                <rect
                  className={day.asked === 0 ? 'spark-none' : 'spark-asked'}
                  x={index * step + 1}
                  y={high - height}
                  width={step - 2}
                  height={height}
                />
                {day.failed > 0 && (
                  <rect className="spark-failed" x={index * step + 1} y={high + 2} width={step - 2} height="4" />
                )}
              </g>
            );
          })}
        </svg>
      )}
      <span className="spark-words">
        <span className="meta">{words.lately}</span>
        <span className="num">{words.asked(asked)}</span>
        {failed > 0 && <span className="num danger">{words.failedTasks(failed)}</span>}
      </span>
    </p>
  );
}
