// The time of what the store records of itself: by the clock that the program reads, Temporal's, once there is one.
const own = (): Date => new Date();
let clock = own;

export function useClock(now: () => Date = own): void {
  clock = now;
}

export const momentText = (): string => clock().toISOString();
