// What operations of A2UI leave of each surface: its components and its values; pure.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { dictOf, isDict, listOf, type Dict } from '../values/dict.ts';
import { pointerKeys } from '../values/pointer.ts';
import { drawScreen, member, type ScreenNode, type Surface } from './screen.ts';

type ShownData = HoldView['context']['data'][number];

export interface Screen {
  id: string;
  root: ScreenNode;
}

const standard = 'https://a2ui.org/specification/v0_8/standard_catalog_definition.json';

/** The screens that can be drawn, and the data of which none is. */
export function screensOf(data: readonly ShownData[]): { screens: Screen[]; drawn: ShownData[]; rest: ShownData[] } {
  const surfaces = new Map<string, Surface>();
  const named = new Map<ShownData, string[]>();
  for (const one of data) {
    const operations = Array.isArray(one.data) ? one.data : [one.data];
    named.set(
      one,
      operations.flatMap((operation) => operate(surfaces, dictOf(operation)) ?? []),
    );
  }
  const screens = [...surfaces].flatMap(([id, surface]): Screen[] => {
    const root = drawScreen(surface);
    return root === null ? [] : [{ id, root }];
  });
  const shown = new Set(screens.map(({ id }) => id));
  const isDrawn = (one: ShownData): boolean => {
    const ids = named.get(one) ?? [];
    return ids.length > 0 && ids.every((id) => shown.has(id));
  };
  return { screens, drawn: data.filter(isDrawn), rest: data.filter((one) => !isDrawn(one)) };
}

/** Does one operation; the surface it is for, or null where it is none. */
function operate(surfaces: Map<string, Surface>, operation: Dict): string | null {
  for (const [name, act] of operations) {
    const given = operation[name];
    if (!isDict(given) || typeof given['surfaceId'] !== 'string') continue;
    const id = given['surfaceId'];
    const before = surfaces.get(id) ?? { catalogId: '', root: 'root', components: new Map(), model: {} };
    const after = act(before, given);
    if (after === null) surfaces.delete(id);
    else surfaces.set(id, after);
    return id;
  }
  return null;
}

type Act = (surface: Surface, given: Dict) => Surface | null;

const withComponents: Act = (surface, { components }) => {
  const added = listOf(components)
    .filter(isDict)
    .flatMap((one): [string, Dict][] => (typeof one['id'] === 'string' ? [[one['id'], one]] : []));
  return { ...surface, components: new Map([...surface.components, ...added]) };
};

const operations: [string, Act][] = [
  ['createSurface', (surface, { catalogId }) => ({ ...surface, catalogId: String(catalogId) })],
  [
    'beginRendering',
    (surface, { catalogId = standard, root }) => ({ ...surface, catalogId: String(catalogId), root: String(root) }),
  ],
  ['updateComponents', withComponents],
  ['surfaceUpdate', withComponents],
  [
    'updateDataModel',
    (surface, { path, value }) => ({ ...surface, model: withValue(surface.model, keysOf(path), value) }),
  ],
  [
    'dataModelUpdate',
    (surface, { path, contents }) => ({
      ...surface,
      model: withValue(surface.model, keysOf(path), mapOf(contents, 0)),
    }),
  ],
  ['deleteSurface', () => null],
];

const maxDepth = 20;

const keysOf = (path: unknown): string[] =>
  typeof path === 'string' ? pointerKeys(path.startsWith('/') ? path : `/${path}`).filter((key) => key !== '') : [];

/** A copy with the value at its place. Deeper than anything that is drawn, nothing is put. */
function withValue(source: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (rest.length > maxDepth || key === '__proto__') return source;
  const inner = withValue(member(source, key), rest, value);
  if (!Array.isArray(source)) return { ...dictOf(source), [key]: inner };
  const at = Number(key);
  return Number.isInteger(at) && at >= 0 && at <= source.length
    ? [...source.slice(0, at), inner, ...source.slice(at + 1)]
    : source;
}

/** Contents of 0.8: keys, each with a value of one type. */
function mapOf(contents: unknown, depth: number): Dict {
  const entries = listOf(contents)
    .filter(isDict)
    .map((one): [string, unknown] => {
      const { key, valueString, valueNumber, valueBoolean, valueMap } = one;
      if (valueMap !== undefined) return [String(key), depth < maxDepth ? mapOf(valueMap, depth + 1) : {}];
      return [String(key), valueString ?? valueNumber ?? valueBoolean];
    });
  return Object.fromEntries(entries);
}
