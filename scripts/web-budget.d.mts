/** One entry of vite's manifest. */
export interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}
export type Sizes = Record<
  'entry' | 'hold' | 'markdown' | 'chat' | 'overview' | 'rest' | 'css' | 'laterCss' | 'js',
  number
>;

export const kb: number;
export function closureOf(manifest: Record<string, Chunk>, key: string): Set<string>;
export const budgets: Record<Exclude<keyof Sizes, 'rest'>, number>;
export function weigh(manifest: Record<string, Chunk>, sizeOf: (file: string) => number): Sizes;
export function tooHeavy(sizes: Sizes): string[];
