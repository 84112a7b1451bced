interface Patch {
  file: string;
  version: string;
  finds: string;
  change: (code: string, finds: string) => string;
}

export const patches: Patch[];
export function patched(patch: Patch, code: string, installed: string): string;
