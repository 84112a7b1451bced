import type { Durations } from './parts.mjs';

export interface Report {
  testResults: readonly { name: string; startTime: number; endTime: number }[];
}
export function readDurations(): Durations;
export function mergeDurations(before: Durations, report: Report, exists: (file: string) => boolean): Durations;
export function writeDurations(report: Report): void;
