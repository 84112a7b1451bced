// The examples that A2UI's own catalogues have, as its package is published with them (it comes with CopilotKit). Skipped where
// that cannot be installed.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { screensOf } from '../../../web/src/hold/context/surfaces.ts';
import { hasCopilotKit } from '../../rigs/product/front-end-examples.ts';

const catalogs = join(
  process.env['STANDFAST_TEST_COPILOTKIT'] ?? '',
  'node_modules/@a2ui/web_core/src/v0_9/schemas/catalogs',
);

/** The examples of a catalogue, and those of them of which no screen is drawn. */
async function read(catalog: string): Promise<{ count: number; undrawn: string[] }> {
  const dir = join(catalogs, catalog, 'examples');
  const names = await readdir(dir);
  const undrawn: string[] = [];
  for (const name of names) {
    const example = JSON.parse(await readFile(join(dir, name), 'utf8')) as unknown[] | { messages: unknown[] };
    const messages = Array.isArray(example) ? example : example.messages;
    const data = messages.map((one, at) => ({ id: String(at), name: 'screen', digest: '', data: one }));
    if (screensOf(data).screens.length === 0) undrawn.push(name);
  }
  return { count: names.length, undrawn };
}

// Promise B37
(hasCopilotKit ? test : test.skip)(
  'examples of A2UI 0.9 are drawn, but for those that call functions in a text',
  async () => {
    expect(await read('basic')).toEqual({
      count: 43,
      undrawn: [
        '05_product-card.json',
        '17_event-detail.json',
        '19_software-purchase.json',
        '23_step-counter.json',
        '24_recipe-card.json',
        '32_advanced-form-validator.json',
      ],
    });
    expect(await read('minimal')).toEqual({ count: 7, undrawn: ['6_capitalized_text.json'] });
  },
);
