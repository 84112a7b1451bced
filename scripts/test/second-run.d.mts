export interface Failure {
  file: string;
  passed: number;
  failed: number;
  reasons: string[];
}
export interface StageResult {
  isGood: boolean;
  passed: number;
  failed: number;
  skipped: number;
  failures: Failure[];
}
export function filesToRepeat(result: Pick<StageResult, 'isGood' | 'failures'>): string[];
export function joinRuns(first: StageResult, second: StageResult): StageResult & { unsteady: Failure[] };
