// A day's ends in a picture: what they are, how many, and the day's name; pure.
import type { EndedDay } from '../../../src/contract/views/inbox.ts';

export const endsOfDay = ['approved', 'answered', 'refused', 'expired', 'other'] as const;

export const sumOf = (day: Omit<EndedDay, 'day'>): number => endsOfDay.reduce((sum, end) => sum + day[end], 0);

/** A day as the reader writes it; noon of it lies on that day in every zone. */
export const dayWords = (day: string): string =>
  new Date(`${day}T12:00:00`).toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
