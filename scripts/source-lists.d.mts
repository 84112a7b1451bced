/** The documents with lists that are made of the source, as they should be. */
export function filesWithSourceLists(): [path: string, text: string][];
