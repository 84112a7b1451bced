import type { Mark, Promised } from '../spec.mjs';

export type Durations = Readonly<Record<string, number>>;
export interface Parts {
  quick: string[];
  first: string[];
  rest: string[];
  night: string[];
  again: string[];
}
export const unseenByQuick: readonly { words: RegExp; why: string }[];
export function playsSamples(text: string): boolean;
export function needsServers(file: string): boolean;
export function secondsOf(durations: Durations, file: string): number;
export function partsOf(given: {
  files: readonly string[];
  durations: Durations;
  promises: readonly Promised[];
  marks: readonly Mark[];
  needsOthers: (file: string) => boolean;
  isSampled: (file: string) => boolean;
}): Parts;
