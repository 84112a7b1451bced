export function notesOf(changelog: string, version: string): string;
export function withHighlights(changelog: string, version: string, highlights: string | null, isFirst: boolean): string;
export function imageTags(version: string): string[];
export function readArgs(args: string[]): { does: 'release' | 'rehearse' | 'make-artifacts'; at: string | undefined };
export function packProgram(root: string, out: string): string;
export function npmArchives(names: string[]): string[];
