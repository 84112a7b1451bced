// What the form's own parts share in addition to what the library hands round.
import type { RefObject } from 'react';
import { type Dict, dictOf, isDict } from '../values/dict.ts';
import { typeOf } from '../values/schema-walk.ts';
import { oneLine } from '../text/visible.ts';

export interface FormContext {
  /** What is typed and not yet committed: called before the values are read. */
  pending: RefObject<Set<() => void>>;
  /** The rarer of the two is named in the label. */
  mark: 'required' | 'optional';
  /** Neighbouring root fields to collapse at first. */
  collapsed: readonly Run[];
  /** Headings that its agent gave; null: it gave none. */
  groups: readonly Group[] | null;
  /** Of a very long form; null: all of it is drawn. */
  sections: readonly Section[] | null;
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

/** Neighbours that need not be filled in, by the first one's name. */
export interface Run {
  key: string;
  names: readonly string[];
}

/** One alone is no shorter collapsed. */
const shortestRun = 2;

export function runsOf(names: readonly string[], unset: readonly string[]): Run[] {
  const runs: string[][] = [];
  let wasUnset = false;
  for (const name of names) {
    const isUnset = unset.includes(name);
    if (isUnset && wasUnset) runs.at(-1)?.push(name);
    else if (isUnset) runs.push([name]);
    wasUnset = isUnset;
  }
  return runs.filter((run) => run.length >= shortestRun).map((run) => ({ key: run[0] ?? '', names: run }));
}

/** Neighbouring fields of a very long form, made when they are first opened. */
export interface Section {
  /** Its first field's name. */
  key: string;
  title: string;
  names: readonly string[];
}

/** Fields of one section: few enough to be made at once on a slow machine. */
export const sectionSize = 20;

/** Fields that their agent puts under one heading (`x-group`); null: under none. */
export interface Group {
  title: string | null;
  names: readonly string[];
}

/** In the order in which each is first named; null where no field names one. */
export function groupsOf(fields: Dict): Group[] | null {
  const groups: { title: string | null; names: string[] }[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const given = dictOf(field)['x-group'];
    const title = typeof given === 'string' && given.trim() !== '' ? oneLine(given, 60) : null;
    const before = title === null ? groups.at(-1) : groups.find((group) => group.title === title);
    if (before?.title === title) before.names.push(name);
    else groups.push({ title, names: [name] });
  }
  return groups.some(({ title }) => title !== null) ? groups : null;
}

/** Of a very long form: by its agent's groups, and those in parts. */
export function sectionsOf(fields: Dict): Section[] {
  const groups = groupsOf(fields);
  if (groups === null) return runsOfFields(fields);
  return groups.flatMap(({ title, names }) => {
    const parts = runsOfFields(Object.fromEntries(names.map((name) => [name, fields[name]])));
    if (title === null) return parts;
    return parts.map((part) => ({ ...part, title: parts.length === 1 ? title : `${title}: ${part.title}` }));
  });
}

/** Every group or list is a section by itself. */
function runsOfFields(fields: Dict): Section[] {
  const sections: Section[] = [];
  let run: string[] = [];
  const add = (names: readonly string[]): void => {
    const [first = '', last = ''] = [names[0], names.at(-1)];
    const title = titleOf(fields[first], first);
    sections.push({
      key: first,
      title: names.length === 1 ? title : `${title} – ${titleOf(fields[last], last)}`,
      names,
    });
  };
  const close = (): void => {
    if (run.length > 0) add(run);
    run = [];
  };
  for (const [name, field] of Object.entries(fields)) {
    if (['object', 'array'].includes(typeOf(dictOf(field)) ?? '')) {
      close();
      add([name]);
      continue;
    }
    run.push(name);
    if (run.length === sectionSize) close();
  }
  close();
  return sections;
}

const titleOf = (schema: unknown, name: string): string => {
  const { title } = dictOf(schema);
  return oneLine(typeof title === 'string' ? title : name, 60);
};
