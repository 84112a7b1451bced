// Small drawings in the colour of their text; a word or an aria-label always accompanies them.
import type { ReactNode } from 'react';

const paths = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  trash: 'M3 4.500h10M6 4.500V3h4v1.500M4.500 4.500l.6 8.500h5.800l.6-8.500',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  back: 'M10 3.5L5.5 8l4.5 4.5',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  pencil: 'M3 13l.8-3.2L10.5 3 13 5.5 6.2 12.2 3 13z',
  outside: 'M6 4H3.5v8.5H12V10M9 3.5h3.5V7M12.2 3.8L7.5 8.5',
  undo: 'M5.5 3L3 5.5 5.5 8M3.2 5.5H10a3 3 0 010 6H6.5',
  plus: 'M8 3.5v9M3.5 8h9',
  inbox: 'M2.5 9.5l2-6h7l2 6V13h-11zM2.5 9.5H6l1 1.5h2l1-1.5h3.5',
  request: 'M3 4.5l1 1 2-2M8 4.5h5M3 10.5l1 1 2-2M8 10.5h5',
  history: 'M8 4.5V8l2.5 1.5M2.5 8a5.5 5.5 0 101.6-3.9M2.5 3v2.2h2.2',
  chat: 'M3 3h10v7H7l-3 2.5V10H3z',
  chart: 'M3.5 13V8.5M7.5 13V3.5M11.5 13V6.5M2 13.5h12',
  tasks: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  agent: 'M3 6h10v7H3zM8 6V3M6 9v1M10 9v1',
  policy: 'M3 5h6M12 5h1M3 11h1M7 11h6M10.5 3.5v3M5.5 9.5v3',
  gear: 'M8 10.2a2.2 2.2 0 100-4.4 2.2 2.2 0 000 4.4zM8 2v2M8 12v2M2 8h2M12 8h2M3.8 3.8l1.4 1.4M10.8 10.8l1.4 1.4M12.2 3.8l-1.4 1.4M5.2 10.8l-1.4 1.4',
  search: 'M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.5 10.5l3 3',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  calendar: 'M3 4.5h10V13H3zM3 7.500h10M5.500 4.500V2.500M10.500 4.500V2.500',
  clock: 'M8 4.5V8l2.5 1.5M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11z',
  granted: 'M5 8.2l2 2 4-4.2M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11z',
  refused: 'M6 6l4 4M10 6l-4 4M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11z',
  slash: 'M4.2 4.2l7.6 7.6M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11z',
  rotate: 'M13 4v3h-3M3 12V9h3M12.6 7A5 5 0 004 5.2L3.2 6.4M3.4 9a5 5 0 008.6 1.8l.8-1.2',
  claim:
    'M5 8V4a1 1 0 012 0v3M7 7V3a1 1 0 012 0v4M9 7V4a1 1 0 012 0v5.5A3.5 3.5 0 017.500 13 3.500 3.500 0 014.500 11.200L3 8.500a1 1 0 011.700-1z',
  forward: 'M9 4l4 4-4 4M13 8H6a3 3 0 00-3 3v1',
  clip: 'M12 7.500l-4.700 4.700a2.600 2.600 0 01-3.700-3.700L8.800 3.300a1.700 1.700 0 012.400 2.400L6 10.900a.8.8 0 01-1.200-1.200L9.300 5.200',
  dots: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  send: 'M8 13V3.500M4 7l4-4 4 4',
  stop: 'M4.500 4.500h7v7h-7z',
  form: 'M3 3h10v10H3zM5.500 6h5M5.500 8.500h5M5.500 11h3',
  half: 'M8 2.500a5.500 5.500 0 100 11 5.500 5.500 0 000-11zM8 2.500v11',
  terminal: 'M2.500 3.500h11v9h-11zM5 6.500L6.800 8 5 9.500M8.500 10h2.500',
  key: 'M9.500 6.500a3 3 0 11-2.100-2.860A3 3 0 019.500 6.500zM9 8l4.500 4.500M11.500 10.500L10 12',
  speech: 'M3 3h10v7H7l-3 2.500V10H3z',
  wrench:
    'M10 2.500a3.500 3.500 0 00-3 5L2.800 11.700l1.500 1.500L8.500 9a3.500 3.500 0 005-3.500L11.500 7 9 6.500 8.800 4.300z',
  print: 'M4.500 6V2.500h7V6M4.500 11h-2V6h11v5h-2M4.500 9.500h7v4h-7z',
} as const;

export type IconName = keyof typeof paths | 'alert';

export function Icon({ name }: { name: IconName }): ReactNode {
  return (
    <svg className="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {name === 'alert' ? (
        <path
          d="M8 1.800l6.700 11.900H1.300zM7.200 6v3.800h1.600V6zm0 4.800v1.600h1.600v-1.600z"
          fill="currentColor"
          fillRule="evenodd"
        />
      ) : (
        <path
          d={paths[name]}
          fill="none"
          stroke="currentColor"
          strokeWidth={name === 'dots' ? 2.4 : 1.6}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}

/** The two bars of the favicon. */
export function Mark({ size }: { size: number }): ReactNode {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="mark-ground" width="32" height="32" rx="7" />
      <path className="mark-bars" d="M11 8v16M21 8v16" fill="none" strokeWidth="4" strokeLinecap="round" />
    </svg>
  );
}
