// What the form's own parts share beside what the library hands round.
import type { RefObject } from 'react';
import { isDict } from '../dict.ts';

export interface FormContext {
  /** What is typed and not yet committed: called before the values are read. */
  pending: RefObject<Set<() => void>>;
  /** The rarer of the two is said in the label. */
  mark: 'required' | 'optional';
  /** Names of root fields to fold away at first. */
  folded: readonly string[];
  asSections: boolean;
  /** Sections that are open, by their first field's name. */
  openSections: ReadonlySet<string>;
  onOpenSection: (key: string) => void;
}

export function contextOf(value: unknown): FormContext {
  if (!isContext(value)) throw new Error('the form is drawn without its context');
  return value;
}

const isContext = (value: unknown): value is FormContext =>
  isDict(value) && 'pending' in value && 'onOpenSection' in value;

/** Ids of what stands around a control, and is there. */
export function describedBy(id: string, parts: { error: boolean; hint: boolean }): string | undefined {
  const ids = [...(parts.error ? [`${id}__error`] : []), ...(parts.hint ? [`${id}__description`] : [])];
  return ids.length === 0 ? undefined : ids.join(' ');
}

export const idSeparator = '.';
export const idOf = (prefix: string, path: readonly string[]): string => [prefix, ...path].join(idSeparator);

/** Fields of one folded section of a very long form. */
export const sectionSize = 40;

export function sectionsOf(names: readonly string[], isGroup: (name: string) => boolean): string[][] {
  const sections: string[][] = [];
  let run: string[] = [];
  const close = (): void => {
    if (run.length > 0) sections.push(run);
    run = [];
  };
  for (const name of names) {
    if (isGroup(name)) {
      close();
      sections.push([name]);
      continue;
    }
    run.push(name);
    if (run.length === sectionSize) close();
  }
  close();
  return sections;
}
