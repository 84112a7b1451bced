// What the colours of a day's ends mean.
import type { ReactNode } from 'react';
import { strings } from '../i18n/strings.ts';
import { stateTones } from '../hold/words/state-tones.ts';
import { endsOfDay } from './day-ends.ts';
import './day-ends.css';

const words = strings.history;

export function EndLegend(): ReactNode {
  return (
    <span className="legend">
      {endsOfDay.map((end) => (
        <span key={end}>
          <svg width="10" height="10" aria-hidden="true" focusable="false">
            <rect className={`end ${stateTones[end]}`} width="10" height="10" rx="2" />
          </svg>{' '}
          {words.dayEnds[end]}
        </span>
      ))}
    </span>
  );
}
