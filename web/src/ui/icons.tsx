// Ten small drawings in the colour of their text; a word or an aria-label always stands beside them.
import type { ReactNode } from 'react';

export type IconName = 'check' | 'cross' | 'chevron' | 'back' | 'up' | 'pencil' | 'alert' | 'outside' | 'undo' | 'plus';

const paths: Record<IconName, string> = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  back: 'M10 3.5L5.5 8l4.5 4.5',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  pencil: 'M3 13l.8-3.2L10.5 3 13 5.5 6.2 12.2 3 13z',
  alert: 'M8 3v6M8 12.4v.6',
  outside: 'M6 4H3.5v8.5H12V10M9 3.5h3.5V7M12.2 3.8L7.5 8.5',
  undo: 'M5.5 3L3 5.5 5.5 8M3.2 5.5H10a3 3 0 010 6H6.5',
  plus: 'M8 3.5v9M3.5 8h9',
};

export function Icon({ name }: { name: IconName }): ReactNode {
  return (
    <svg className="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
