/** A Markdown table, its columns as wide as their longest cells. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string;

/** The documents with lists that are made of the source, as they should be. */
export function filesWithSourceLists(): [path: string, text: string][];
