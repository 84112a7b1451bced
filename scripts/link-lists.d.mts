/** The files that have the lists of docs/README.md, as they should be. */
export function filesWithLists(): [path: string, text: string][];
