// What the form's own parts share in addition to what the library hands round.
import type { RefObject } from 'react';

export interface FormContext {
  /** What is typed and not yet committed: called before the values are read. */
  pending: RefObject<Set<() => void>>;
  /** The rarer of the two is named in the label. */
  mark: 'required' | 'optional';
  /** The first level of the form. */
  blocks: readonly Block[];
  /** Keys of collapsible blocks that are open. */
  openBlocks: ReadonlySet<string>;
  onOpenBlock: (key: string) => void;
}

/** Neighbouring fields: as they are, under a heading, or collapsed until the reader opens them. */
export interface Block {
  /** Its first field's name. */
  key: string;
  /** Null: the fields have no heading. */
  title: string | null;
  names: readonly string[];
  isCollapsible: boolean;
  /** One of its fields has a value already. */
  hasValues: boolean;
}

/** Ids of the error and the hint of a control, as far as it has them. */
export function describedBy(id: string, parts: { error: boolean; hint: boolean }): string | undefined {
  const ids = [...(parts.error ? [`${id}__error`] : []), ...(parts.hint ? [`${id}__description`] : [])];
  return ids.length === 0 ? undefined : ids.join(' ');
}

export const idSeparator = '.';
export const idOf = (prefix: string, path: readonly string[]): string => [prefix, ...path].join(idSeparator);
