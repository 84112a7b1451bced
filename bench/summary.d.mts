/** The two tables of docs/bench.md, from what each lane wrote. */
export function summaryOf(results: { lane: string; text: string }[]): { aims: string; systems: string };
