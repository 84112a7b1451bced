/*
 * A screen that an agent drew with the basic catalogue of A2UI 0.8 or 0.9, as what may be read of it; pure. A screen that
 * needs more than is known here is null, and stays data. However deep, long or circular it is, what is drawn is bounded.
 */
import { dictOf, isDict, listOf, type Dict } from '../values/dict.ts';
import { pointerKeys } from '../values/pointer.ts';

export type ScreenNode =
  | { kind: 'text'; text: string; tone: 'title' | 'body' | 'meta' }
  | { kind: 'row' | 'column' | 'card' | 'button'; children: ScreenNode[] }
  | { kind: 'section'; title: string; children: ScreenNode[] }
  /** A field of the agent's: what is in it, for reading. */
  | { kind: 'field'; label: string; value: string | boolean }
  /** A picture, film or sound at an address, which nothing here opens. */
  | { kind: 'address'; text: string; url: string }
  | { kind: 'rule' };

export interface Surface {
  catalogId: string;
  root: string;
  components: Map<string, Dict>;
  model: unknown;
}

const maxNodes = 500;
const maxDepth = 20;
const maxText = 20_000;

const catalogs =
  /^(?:https:\/\/a2ui\.org\/specification\/v0_(?:8|9|9_1)\/(?:catalogs\/(?:basic|minimal)\/catalog|(?:basic|standard)_catalog(?:_definition)?)\.json|a2ui\.org:standard_catalog_0_8_0)$/u;

/** Of one drawing: how much may still be drawn, and where the values lie. */
interface Drawing {
  surface: Surface;
  left: number;
}
/** How deep a component is, and the entry of a list at which its paths begin. */
interface Place {
  depth: number;
  scope: unknown;
}
type Draw = (props: Dict, drawing: Drawing, place: Place) => ScreenNode | null;

export function drawScreen(surface: Surface): ScreenNode | null {
  if (!catalogs.test(surface.catalogId)) return null;
  return component(surface.root, { surface, left: maxNodes }, { depth: 0, scope: surface.model });
}

function component(id: unknown, drawing: Drawing, place: Place): ScreenNode | null {
  drawing.left -= 1;
  if (drawing.left < 0 || place.depth > maxDepth || typeof id !== 'string') return null;
  const found = drawing.surface.components.get(id);
  if (found === undefined) return null;
  const { component: type, ...own } = found;
  // 0.9 names the type, 0.8 puts the properties under it.
  const [name, props] = typeof type === 'string' ? [type, own] : (Object.entries(dictOf(type))[0] ?? ['', {}]);
  const draw = drawings.get(name);
  return draw === undefined ? null : draw(dictOf(props), drawing, { ...place, depth: place.depth + 1 });
}

/** All of them, or none: half a screen says something else. */
const whole = (nodes: (ScreenNode | null)[]): ScreenNode[] | null =>
  nodes.every((node) => node !== null) ? nodes : null;

function children(list: unknown, drawing: Drawing, place: Place): ScreenNode[] | null {
  const { explicitList, template } = dictOf(list);
  const fixed = Array.isArray(list) ? list : explicitList;
  if (fixed !== undefined) return listed(listOf(fixed), drawing, (id) => component(id, drawing, place));
  const { componentId, path, dataBinding = path } = { ...dictOf(list), ...dictOf(template) };
  const entries = valueAt(dataBinding, drawing, place);
  const members = isDict(entries) ? Object.values(entries) : listOf(entries);
  return listed(members, drawing, (scope) => component(componentId, drawing, { ...place, scope }));
}

function listed(items: unknown[], drawing: Drawing, draw: (item: unknown) => ScreenNode | null): ScreenNode[] | null {
  return items.length > drawing.left ? null : whole(items.map(draw));
}

const group =
  (kind: 'row' | 'column'): Draw =>
  (props, drawing, place) => {
    const drawn = children(props['children'], drawing, place);
    return drawn && { kind, children: drawn };
  };

const around =
  (kind: 'card' | 'button'): Draw =>
  ({ child }, drawing, place) => {
    const drawn = component(child, drawing, place);
    return drawn && { kind, children: [drawn] };
  };

/** An input, read by `read`. */
const field =
  (read: (props: Dict, drawing: Drawing, place: Place) => string | boolean | null): Draw =>
  (props, drawing, place) => {
    const label = words(props['label'] ?? '', drawing, place);
    const value = read(props, drawing, place);
    return label === null || value === null ? null : { kind: 'field', label, value };
  };

const address: Draw = (props, drawing, place) => {
  const url = words(props['url'], drawing, place);
  const text = words(props['description'] ?? '', drawing, place);
  return url === null || text === null ? null : { kind: 'address', text, url };
};

const drawings = new Map<string, Draw>([
  [
    'Text',
    (props, drawing, place) => {
      const text = words(props['text'], drawing, place);
      const look = props['variant'] ?? props['usageHint'];
      const tone = look === 'caption' ? 'meta' : /^h[1-5]$/u.test(String(look)) ? 'title' : 'body';
      return text === null ? null : { kind: 'text', text, tone };
    },
  ],
  [
    'Icon',
    ({ name }, drawing, place) => {
      const text = isDict(name) && 'svgPath' in name ? '' : words(name, drawing, place);
      return text === null ? null : { kind: 'text', text, tone: 'meta' };
    },
  ],
  ['Image', address],
  ['Video', address],
  ['AudioPlayer', address],
  ['Row', group('row')],
  ['Column', group('column')],
  ['List', group('column')],
  ['Card', around('card')],
  ['Button', around('button')],
  ['Divider', () => ({ kind: 'rule' })],
  [
    'Tabs',
    ({ tabs, tabItems = tabs }, drawing, place) => {
      const drawn = listed(listOf(tabItems), drawing, (tab) => {
        const { title, child } = dictOf(tab);
        return section(words(title, drawing, place), [component(child, drawing, place)]);
      });
      return drawn && { kind: 'column', children: drawn };
    },
  ],
  [
    'Modal',
    ({ trigger, entryPointChild = trigger, content, contentChild = content }, drawing, place) =>
      section('', [component(entryPointChild, drawing, place), component(contentChild, drawing, place)]),
  ],
  [
    'TextField',
    field((props, drawing, place) => {
      const text = words(props['value'] ?? props['text'] ?? '', drawing, place);
      const isSecret = props['variant'] === 'obscured' || props['textFieldType'] === 'obscured';
      return isSecret && text !== null ? '•'.repeat(Math.min(text.length, 8)) : text;
    }),
  ],
  ['CheckBox', field(({ value }, drawing, place) => valueOf(value, drawing, place) === true)],
  ['Slider', field(({ value }, drawing, place) => words(value, drawing, place))],
  ['DateTimeInput', field(({ value }, drawing, place) => words(value, drawing, place))],
  ['ChoicePicker', field((props, drawing, place) => chosen(props, props['value'], drawing, place))],
  ['MultipleChoice', field((props, drawing, place) => chosen(props, props['selections'], drawing, place))],
]);

function section(title: string | null, nodes: (ScreenNode | null)[]): ScreenNode | null {
  const drawn = whole(nodes);
  return title === null || drawn === null ? null : { kind: 'section', title, children: drawn };
}

/** The labels of what is chosen. */
function chosen({ options }: Dict, selection: unknown, drawing: Drawing, place: Place): string | null {
  const value = valueOf(selection, drawing, place);
  const picked = Array.isArray(value) ? value : [value];
  const labels = listOf(options)
    .filter((option) => picked.includes(dictOf(option)['value']))
    .map((option) => words(dictOf(option)['label'], drawing, place));
  return labels.includes(null) ? null : labels.join(', ');
}

const literals = ['literalString', 'literalNumber', 'literalBoolean', 'literalArray'];

/** A value as it is given, where it lies, or as a function makes it; undefined where there is none, or it is not known how. */
function valueOf(given: unknown, drawing: Drawing, place: Place): unknown {
  if (!isDict(given)) return given;
  if (typeof given['call'] === 'string') return called(given['call'], dictOf(given['args']), drawing, place);
  if ('path' in given) return valueAt(given['path'], drawing, place);
  return literals.map((name) => given[name]).find((value) => value !== undefined);
}

function valueAt(path: unknown, { surface }: Drawing, { scope }: Place): unknown {
  if (typeof path !== 'string') return undefined;
  const isAbsolute = path.startsWith('/');
  const keys = pointerKeys(isAbsolute ? path : `/${path}`).filter((key) => key !== '' && key !== '.');
  return keys.reduce(member, isAbsolute ? surface.model : scope);
}

/** Of an object or a list, what it has itself. */
export const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/** The value as words: empty where nothing lies there yet; null where it cannot be put into words. */
function words(given: unknown, drawing: Drawing, place: Place): string | null {
  const value = valueOf(given, drawing, place);
  if (value === undefined) return isDict(given) && 'call' in given ? null : '';
  if (typeof value === 'object' && value !== null) return null;
  const text = value === null ? '' : String(value);
  // What would be cut is no screen any more, and stays data.
  return text.length <= maxText ? text : null;
}

/** Dates and numbers as they are: their exact value is what counts to who decides. */
function called(name: string, args: Dict, drawing: Drawing, place: Place): string | undefined {
  if (place.depth > maxDepth) return undefined;
  const inner = { ...place, depth: place.depth + 1 };
  const value = words(args['value'], drawing, inner) ?? undefined;
  if (value === undefined) return undefined;
  if (name === 'formatDate' || name === 'formatNumber') return value;
  if (name === 'formatCurrency') return `${value} ${words(args['currency'], drawing, inner) ?? ''}`.trim();
  return name === 'formatString' ? filledIn(value, drawing, inner) : undefined;
}

/** `${/path}` in a text; what calls a function is not known. */
function filledIn(text: string, drawing: Drawing, place: Place): string | undefined {
  const parts = text.split(/(\\?\$\{[^}]*\})/u).map((part) => {
    if (part.startsWith('\\${')) return part.slice(1);
    if (!part.startsWith('${')) return part;
    const path = part.slice(2, -1).trim();
    return /[():]/u.test(path) ? null : words({ path }, drawing, place);
  });
  return parts.includes(null) ? undefined : parts.join('');
}
