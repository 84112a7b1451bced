// The colours of the pages, read from their style sheet and measured as WCAG 2.2 does.
import { describe, expect, test } from '@jest/globals';
import { filesBelow, read } from '../source-tree.ts';

const css = read('web/src/ui/tokens.css');

type Tokens = Record<string, string>;

/** `--bg: light-dark(#ffffff, #12161c)`: both themes' colours, in this order. */
const pairs = [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];
const theme = (at: 2 | 3): Tokens => Object.fromEntries(pairs.map((pair) => [pair[1] ?? '', pair[at] ?? '']));
const themes: [string, Tokens][] = [
  ['light', theme(2)],
  ['dark', theme(3)],
];

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(tokens: Tokens, a: string, b: string): number {
  const [first, second] = [a, b].map((name) => {
    const value = tokens[name];
    if (value === undefined) throw new Error(`no --${name}`);
    return luminance(value);
  });
  const [high, low] = [Math.max(first ?? 0, second ?? 0), Math.min(first ?? 0, second ?? 0)];
  return (high + 0.05) / (low + 0.05);
}

const surfaces = ['bg', 'rail', 'sunk', 'selected'];
const texts = ['text', 'muted', 'accent', 'ok', 'warn', 'danger'];

describe.each(themes)('in the theme %s:', (_name, tokens) => {
  test('every text colour has at least 4.5 to 1 on every surface', () => {
    const weak = texts.flatMap((text) =>
      surfaces.filter((surface) => ratio(tokens, text, surface) < 4.5).map((surface) => `${text} on ${surface}`),
    );
    expect(weak).toEqual([]);
  });

  test('text on a filled button and on a tint has at least 4.5 to 1', () => {
    const grounded = [
      ['on-accent', 'accent'],
      ['on-danger', 'danger'],
      ['ok', 'ok-tint'],
      ['warn', 'warn-tint'],
      ['danger', 'danger-tint'],
      ['accent', 'selected'],
      ['muted', 'sunk'],
      ['text', 'ok-tint'],
      ['text', 'warn-tint'],
      ['text', 'danger-tint'],
    ] as const;
    expect(grounded.filter(([text, ground]) => ratio(tokens, text, ground) < 4.5)).toEqual([]);
  });

  test('a field’s border has at least 3 to 1, and the focus ring more', () => {
    for (const surface of ['bg', 'sunk']) expect(ratio(tokens, 'field', surface)).toBeGreaterThanOrEqual(3);
    for (const surface of surfaces) expect(ratio(tokens, 'ring', surface)).toBeGreaterThanOrEqual(4.5);
  });
});

test('a stored choice of theme goes before the system’s', () => {
  expect(css).toContain(":root[data-theme='dark'] {\n  color-scheme: dark;\n}");
  expect(css).toContain(":root[data-theme='light'] {\n  color-scheme: light;\n}");
});

test('colours are in tokens.css alone', () => {
  const others = filesBelow('web/src', (path) => path.endsWith('.css') && !path.endsWith('ui/tokens.css'))
    .map(read)
    .join('\n');
  expect(others.match(/#[0-9a-f]{3,8}\b/gi)).toBeNull();
});

test('the dot of every agent has at least 3 to 1 on every surface, in both themes', () => {
  const dots = [...css.matchAll(/--dot: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];
  expect(dots).toHaveLength(8);
  const weak = themes.flatMap(([name, tokens], at) =>
    dots.flatMap((dot) =>
      surfaces
        .filter((surface) => ratio({ ...tokens, it: dot[at + 1] ?? '' }, 'it', surface) < 3)
        .map((surface) => `${dot[at + 1]} on ${surface}, ${name}`),
    ),
  );
  expect(weak).toEqual([]);
});

test('white letters have at least 4.5 to 1 on the colour of every agent, of faces and of the mark', () => {
  const grounds = [...css.matchAll(/--(?:hue|face|mark): (#[0-9a-f]{6});/g)].map(([, value = '']) => value);
  expect(grounds).toHaveLength(10);
  const weak = grounds.filter((value) => ratio({ ground: value, letters: '#ffffff' }, 'ground', 'letters') < 4.5);
  expect(weak).toEqual([]);
});
