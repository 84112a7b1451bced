// The cells of an argument's row: its label, its value as people read it, and its change in words.
import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { Grid } from './grid.tsx';
import { isLongText, LongText } from '../reading/long-text.tsx';
import { tableOf } from './tables.ts';
import { type Dict, dictOf } from './dict.ts';
import { DiffText } from './diff-text.tsx';
import { labelOf } from './humanise.ts';
import { argumentWords, isCode } from './plain-words.ts';
import { type ArgRow, formatValue } from './value-diff.ts';
import { visible } from '../../base/text/visible.ts';

const isPlain = (item: unknown): boolean => typeof item === 'string' || typeof item === 'number';
const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every(isPlain);

/** A value as text, also for ears; what is edited is shown as it is sent. */
export function valueText(value: unknown, path: readonly string[], values: Dict): string {
  if (value === undefined) return strings.hold.noValue;
  const plain = argumentWords(value, path, values);
  if (plain !== null) return plain;
  return isPlainList(value) ? value.map((item) => visible(String(item))).join(', ') : visible(formatValue(value));
}

/** Of more than a line it has the whole width. */
const isWide = (text: string): boolean => text.length > 90 || text.includes('\n');

export interface ValueProps {
  value: unknown;
  path: readonly string[];
  /** All that are sent: an amount has the decimals of the currency next to it. */
  values: Dict;
}

export function Value({ value, path, values }: ValueProps): ReactNode {
  const text = valueText(value, path, values);
  if (value === undefined) return <span className="meta">{text}</span>;
  if (typeof value === 'boolean') return text;
  if (typeof value === 'number') return <span className="arg-text num">{text}</span>;
  const table = tableOf(value);
  if (table !== null) return <Grid table={table} label={strings.hold.data} isNamed />;
  if (isLongText(text)) return <LongText kind="arguments" text={text} className="arg-text" />;
  return typeof value === 'string' || isPlainList(value) ? (
    <span className={isWide(text) ? `arg-text arg-wide${isCode(text) ? ' arg-code' : ''}` : 'arg-text'} dir="auto">
      {text}
    </span>
  ) : (
    <code className="arg-text num">{text}</code>
  );
}

export function Change({ row }: { row: ArgRow }): ReactNode {
  const words = strings.hold;
  if (row.kind === 'added') return <span className="changed">{words.addedWord}</span>;
  if (row.kind === 'removed') return <span className="changed">{words.removedWord}</span>;
  if (row.delta !== null) return <span className="changed num">{words.changedBy(row.delta)}</span>;
  return (
    <span className="changed">
      {words.changedWord} <DiffText before={formatValue(row.before)} after={formatValue(row.now)} />
    </span>
  );
}

export function schemaAt(schema: Dict, path: readonly string[]): Dict {
  return path.reduce<Dict>((here, key) => dictOf(dictOf(here['properties'])[key]), schema);
}

export function labelAt(schema: Dict, path: readonly string[]): string {
  return path.map((key, index) => labelOf(key, schemaAt(schema, path.slice(0, index + 1)))).join(' › ');
}
