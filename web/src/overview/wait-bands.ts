// Who waits on whom as bands between three columns: agents, policies, and whom these ask; pure.
import type { Overview } from '../../../src/contract/views/operate.ts';

interface Node {
  column: 0 | 1 | 2;
  name: string;
  count: number;
  overdue: number;
  /** Shares of the height, 0 to 1. */
  from: number;
  to: number;
}

interface Band {
  /** The column it begins in. */
  column: 0 | 1;
  /** Where it leaves, and where it arrives: shares of the height. */
  leaves: [number, number];
  arrives: [number, number];
  /** Of it so much is overdue, 0 to 1. */
  late: number;
}

type Edge = { from: string; to: string; count: number; overdue: number };

/** Between two nodes of a column, as a share of the height. */
const gap = 0.04;
/** Fewer lines are read in a table. */
const leastLines = 4;

export const hasWaitPicture = ({ byAgent, byEntry }: Overview['waits']): boolean =>
  byAgent.length + byEntry.length >= leastLines;

/** The nodes of a column below one another, as high as they count; all columns are equally high. */
function stacked(column: Node['column'], sums: ReadonlyMap<string, { count: number; overdue: number }>): Node[] {
  const all = [...sums].toSorted(([, a], [, b]) => b.count - a.count);
  const total = all.reduce((sum, [, { count }]) => sum + count, 0);
  const room = Math.max(0.2, 1 - gap * (all.length - 1));
  let at = 0;
  return all.map(([name, { count, overdue }]) => {
    const from = at;
    const to = from + (room * count) / Math.max(total, 1);
    at = to + gap;
    return { column, name, count, overdue, from, to };
  });
}

function sumsOf(edges: readonly Edge[], end: 'from' | 'to'): Map<string, { count: number; overdue: number }> {
  const sums = new Map<string, { count: number; overdue: number }>();
  for (const edge of edges) {
    const { count, overdue } = sums.get(edge[end]) ?? { count: 0, overdue: 0 };
    sums.set(edge[end], { count: count + edge.count, overdue: overdue + edge.overdue });
  }
  return sums;
}

/** Each node gives its height to its bands, in their order. */
function bandsOf(
  column: Band['column'],
  edges: readonly Edge[],
  left: readonly Node[],
  right: readonly Node[],
): Band[] {
  const used = new Map<Node, number>();
  const take = (node: Node | undefined, count: number, whole: number): [number, number] => {
    if (node === undefined) return [0, 0];
    const from = node.from + (used.get(node) ?? 0);
    const height = ((node.to - node.from) * count) / Math.max(whole, 1);
    used.set(node, (used.get(node) ?? 0) + height);
    return [from, from + height];
  };
  const leftSums = sumsOf(edges, 'from');
  const rightSums = sumsOf(edges, 'to');
  const place = (nodes: readonly Node[], name: string): number => nodes.findIndex((node) => node.name === name);
  return edges
    .toSorted((a, b) => place(left, a.from) - place(left, b.from) || place(right, a.to) - place(right, b.to))
    .map(({ from, to, count, overdue }) => ({
      column,
      leaves: take(left[place(left, from)], count, leftSums.get(from)?.count ?? 0),
      arrives: take(right[place(right, to)], count, rightSums.get(to)?.count ?? 0),
      late: count === 0 ? 0 : overdue / count,
    }));
}

export function waitBands({ byAgent, byEntry }: Overview['waits']): { nodes: Node[]; bands: Band[] } {
  const first = byAgent.map(({ agent, policy, ...counts }): Edge => ({ from: agent, to: policy, ...counts }));
  const second = byEntry.map(({ policy, entry, ...counts }): Edge => ({ from: policy, to: entry, ...counts }));
  const agents = stacked(0, sumsOf(first, 'from'));
  const policies = stacked(1, sumsOf(first, 'to'));
  const entries = stacked(2, sumsOf(second, 'to'));
  return {
    nodes: [...agents, ...policies, ...entries],
    bands: [...bandsOf(0, first, agents, policies), ...bandsOf(1, second, policies, entries)],
  };
}
