export interface Promised {
  id: string;
  sentence: string;
  page: string;
}
export interface Mark {
  id: string;
  file: string;
  name: string | null;
}
export function readPromises(): Promised[];
export function readMarks(): Mark[];
export function faultsOf(promises: readonly Promised[], marks: readonly Mark[]): string[];
