// The colour of each state, the same in lists, tags, charts and their legends; pure.

export type Tone = 'open' | 'ok' | 'accent' | 'danger' | 'warn' | 'muted';

export const stateTones = {
  waiting: 'open',
  approved: 'ok',
  answered: 'accent',
  refused: 'danger',
  failed: 'danger',
  expired: 'warn',
  other: 'muted',
} as const satisfies Record<string, Tone>;
