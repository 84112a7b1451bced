import { describe, expect, test } from '@jest/globals';
import { createElement, Suspense, type ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { latePart } from '../../web/src/base/live/late-part.ts';

const Greeting = ({ name }: { name: string }) => createElement('p', null, name);
const partOf = (load: () => Promise<typeof Greeting>) => latePart(load, (again) => again());
const drawn = (Part: ComponentType<{ name: string }>): string =>
  renderToStaticMarkup(createElement(Suspense, { fallback: 'please wait' }, createElement(Part, { name: 'Ana' })));

describe('a part that is loaded when it is first shown', () => {
  test('a part that is loaded when it is first shown is stood in for until it has come', () => {
    expect(drawn(partOf(async () => Greeting))).toContain('please wait');
  });

  test('a part that is loaded when it is first shown is drawn at once where it was loaded ahead', async () => {
    const Part = partOf(async () => Greeting);
    expect(await Part.ahead()).toBe(true);
    expect(drawn(Part)).toBe('<p>Ana</p>');
  });

  test('a part that is loaded when it is first shown may fail ahead, and is asked for again when it is shown', async () => {
    let asked = 0;
    const Part = partOf(async () => {
      asked += 1;
      if (asked === 1) throw new Error('no such file');
      return Greeting;
    });
    expect(await Part.ahead()).toBe(false);
    expect(await Part.ahead()).toBe(true);
    expect(drawn(Part)).toBe('<p>Ana</p>');
  });
});
