// The first level of a form in blocks: by its agent's groups, with what is optional and empty collapsed, or in sections when
// very long; pure.
import { strings } from '../../i18n/strings.ts';
import { oneLine } from '../../base/text/visible.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import { typeOf, unsetOptional } from '../values/schema-walk.ts';
import type { Block } from './form-context.ts';

const words = strings.hold.form;
/** Forms of more fields collapse what is optional and empty. */
const collapseOver = 12;
/** Fields of one section: few enough to be made at once on a slow machine. */
const sectionSize = 20;

type Run = Omit<Block, 'hasValues'>;

const block = (names: readonly string[], title: string | null, isCollapsible = false): Run => ({
  key: names[0] ?? '',
  title,
  names,
  isCollapsible,
});

export const blocksOf = (schema: Dict, initial: Dict, asSections: boolean): Block[] =>
  blocksIn(schema, initial, asSections).map((one) => ({
    ...one,
    hasValues: one.names.some((name) => initial[name] !== undefined),
  }));

function blocksIn(schema: Dict, initial: Dict, asSections: boolean): Run[] {
  const fields = dictOf(schema['properties']);
  const groups = groupsOf(fields);
  if (asSections) return groups.flatMap((group) => sectionsOf(group, fields));
  if (groups.some(({ title }) => title !== null)) return groups;
  const names = Object.keys(fields);
  const unset = names.length > collapseOver ? unsetOptional(schema, initial) : [];
  // A collapsed block of all there is would hide the form.
  return runsOf(names, unset.length === names.length ? [] : unset);
}

/** Fields that their agent puts under one heading (`x-group`), in the order in which each heading is first named. */
function groupsOf(fields: Dict): Run[] {
  const groups: { title: string | null; names: string[] }[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const given = dictOf(field)['x-group'];
    const title = typeof given === 'string' && given.trim() !== '' ? oneLine(given, 60) : null;
    const before = title === null ? groups.at(-1) : groups.find((group) => group.title === title);
    if (before?.title === title) before.names.push(name);
    else groups.push({ title, names: [name] });
  }
  return groups.map(({ title, names }) => block(names, title));
}

/** Neighbours that need not be filled in as one block; one alone is no shorter collapsed. */
function runsOf(names: readonly string[], unset: readonly string[]): Run[] {
  const runs: string[][] = [];
  for (const [index, name] of names.entries()) {
    const isInRun = unset.includes(name) && unset.includes(names[index - 1] ?? '');
    if (isInRun) runs.at(-1)?.push(name);
    else runs.push([name]);
  }
  return runs.map((run) =>
    run.length === 1 ? block(run, null) : block(run, words.optionalCollapsed(run.length), true),
  );
}

/** A very long group in parts; every object or list is one alone. */
function sectionsOf({ title, names }: Run, fields: Dict): Run[] {
  const parts: string[][] = [];
  let isFull = true;
  for (const name of names) {
    const isAlone = ['object', 'array'].includes(typeOf(dictOf(fields[name])) ?? '');
    if (isAlone || isFull) parts.push([name]);
    else parts.at(-1)?.push(name);
    isFull = isAlone || parts.at(-1)?.length === sectionSize;
  }
  return parts.map((part) => {
    const ends = part.length === 1 ? part : [part[0] ?? '', part.at(-1) ?? ''];
    const own = ends.map((name) => titleOf(fields[name], name)).join(' – ');
    const heading = title === null ? own : parts.length === 1 ? title : `${title}: ${own}`;
    return block(part, words.section(heading, part.length), true);
  });
}

const titleOf = (schema: unknown, name: string): string => {
  const { title } = dictOf(schema);
  return oneLine(typeof title === 'string' ? title : name, 60);
};
