interface Located {
  path: string;
}

export function longestFirst<T extends Located>(tests: readonly T[]): T[];
export function shareOut<T extends Located>(tests: readonly T[], count: number): T[][];
