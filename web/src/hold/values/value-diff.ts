// Arguments side by side: what the agent proposed, what is sent, and what changed.
import { type Compared, compareArguments } from '../../../../src/core/questions/compare-arguments.ts';
import { shortDigest } from '../../base/account/names.ts';
import { type Dict, dictOf, isDict, isSame } from './dict.ts';

export interface ArgRow extends Compared {
  /** Of two numbers the difference, signed, with the decimals they were written with. */
  delta: string | null;
}

export const diffArgs = (proposed: Dict, sent: Dict): ArgRow[] =>
  compareArguments(proposed, sent).map((row) => ({
    ...row,
    delta: row.kind === 'changed' ? deltaOf(row.before, row.now) : null,
  }));

export const isChanged = ({ kind }: ArgRow): boolean => kind !== 'same';

export const changesIn = (rows: readonly ArgRow[]): number => rows.filter(isChanged).length;

function deltaOf(before: unknown, after: unknown): string | null {
  if (typeof before !== 'number' || typeof after !== 'number') return null;
  const decimals = Math.min(10, Math.max(decimalsOf(before), decimalsOf(after)));
  const difference = after - before;
  if (!Number.isFinite(difference)) return null;
  return `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(decimals)}`;
}

function decimalsOf(value: number): number {
  const [, fraction = ''] = String(value).split('.');
  return /^\d+$/.test(fraction) ? fraction.length : 0;
}

/** A value in one cell: text as it is, the rest as JSON. */
export function formatValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, isDict(value) || Array.isArray(value) ? 1 : 0);
}

/** Whether two questions differ in a part that people read, and how: old and new in words. */
export interface Change {
  what: 'title' | 'message' | 'fields' | 'defaults' | 'arguments' | 'artifacts';
  before: string;
  after: string;
}

interface Shown {
  title: string;
  message: string;
  schema: Dict;
  defaults: Dict;
  context: { toolArgs: Dict; artifacts: { name: string; digest: string | null }[] };
}

export function changesOf(before: Shown, after: Shown): Change[] {
  const parts: [Change['what'], unknown, unknown][] = [
    ['title', before.title, after.title],
    ['message', before.message, after.message],
    ['arguments', before.context.toolArgs, after.context.toolArgs],
    ['defaults', before.defaults, after.defaults],
    ['fields', fieldsOf(before.schema), fieldsOf(after.schema)],
    ['artifacts', artifactWords(before), artifactWords(after)],
  ];
  return parts.flatMap(([what, old, now]) => (isSame(old, now) ? [] : [{ what, before: say(old), after: say(now) }]));
}

/** A line for each artifact; its digest tells one version of it from another. */
const artifactWords = ({ context }: Shown): string =>
  context.artifacts.map(({ name, digest }) => `${name} ${shortDigest(digest ?? '')}`.trim()).join('\n');

const say = (value: unknown): string => (typeof value === 'string' ? value : lines(value).join('\n'));

function lines(value: unknown): string[] {
  if (!isDict(value)) return [JSON.stringify(value, null, 1)];
  return Object.entries(value).map(
    ([key, item]) => `${key}: ${typeof item === 'string' ? item : JSON.stringify(item)}`,
  );
}

function fieldsOf(schema: Dict): Dict {
  const { properties, ...rest } = schema;
  return { ...dictOf(properties), ...(Object.keys(rest).length > 0 ? { '': rest } : {}) };
}
