// What people do with questions, by keys alone: docs/pages.md says how many keys each takes, without the text that is typed.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { root } from '../../source-tree.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages({ movesOn: true });
let keys = 0;

const tasks = [
  '20 yes/no questions',
  'a form (the expense), and its text',
  'a no, and its reason',
  '10 alike',
  'an undo',
] as const;
const documented = Object.fromEntries(
  [...readFileSync(join(root, 'docs/pages.md'), 'utf8').matchAll(/^\| ([^|]+?) +\| +(\d+) +\| +[^|]+\|$/gmu)].map(
    ([, task = '', now]) => [task, Number(now)],
  ),
);

/** The keys that were pressed so far are as many as the documentation says. */
function expectDocumented(task: (typeof tasks)[number]): void {
  expect({ [task]: keys }).toEqual({ [task]: documented[task] });
}

beforeEach(() => {
  keys = 0;
});

async function press(key: string): Promise<void> {
  keys += 1;
  await pages.ana.page.keyboard.press(key);
}
const untilArmed = (): Promise<void> => pages.ana.page.locator('[data-armed="ready"]').waitFor();
const untilShown = (title: string): Promise<void> =>
  pages.ana.page.getByRole('heading', { level: 1, name: title }).waitFor();
const titled = (n: number): HoldView => aHold(n, { title: `Pay ${n}?`, headline: `Pay ${n}?` });
const untilDecided = (count: number): Promise<void> =>
  eventually(async () => expect(pages.server.decisions).toHaveLength(count));

/** How many rows of a review were not seen, once all on the screen count. */
async function unseen(): Promise<number> {
  const rows = pages.ana.page.locator('.bulk-item[data-unseen]');
  await pages.ana.page.locator('.bulk-item:not([data-unseen])').first().waitFor();
  await eventually(async () => {
    const onScreen = await pages.ana.page.evaluate<number>(`(() => {
      const foot = document.querySelector('.bulk-bar').getBoundingClientRect().top;
      return [...document.querySelectorAll('.bulk-item[data-unseen]')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= 0 && bottom <= foot;
      }).length;
    })()`);
    expect(onScreen).toBe(0);
  });
  return rows.count();
}

async function open({ id, headline }: HoldView): Promise<void> {
  await pages.ana.open(`/holds/${id}`);
  await untilShown(headline);
  await pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
}

describe('the keys of', () => {
  test('twenty yes/no questions', async () => {
    pages.server.holds = Array.from({ length: 20 }, (_, n) => titled(n + 1));
    await open(titled(1));
    for (let n = 1; n <= 20; n += 1) {
      await untilShown(`Pay ${n}?`);
      await press('a');
      await untilArmed();
      await press('Enter');
      await untilDecided(n);
    }
    expectDocumented('20 yes/no questions');
  });

  test('a form, with its text', async () => {
    pages.server.holds = [anExpense(1)];
    await open(anExpense(1));
    await press('a');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Sales')).waitFor();
    await press('1');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Purpose')).waitFor();
    await pages.ana.page.keyboard.type('Lunch with a customer');
    await press('Control+Enter');
    await untilDecided(1);
    expectDocumented('a form (the expense), and its text');
  });

  test('a no with its reason', async () => {
    pages.server.holds = [titled(1)];
    await open(titled(1));
    await press('r');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Reason (optional)')).waitFor();
    await pages.ana.page.keyboard.type('No budget');
    await press('Control+Enter');
    await untilDecided(1);
    expectDocumented('a no, and its reason');
  });

  test('ten alike', async () => {
    pages.server.holds = Array.from({ length: 10 }, (_, n) => aHold(n + 1));
    await pages.ana.open('/');
    await pages.ana.page.locator('.row').first().waitFor();
    await press('Shift+A');
    // Those below the visible part are gone on to first.
    while ((await unseen()) > 0) await press('a');
    await press('a');
    await pages.ana.page.getByRole('button', { name: 'Confirm: approve 10' }).waitFor();
    // The letter again decides nothing, and is not counted: what it had sent would reach the server before this.
    await pages.ana.page.keyboard.press('a');
    await pages.ana.page.evaluate('fetch("/api/me").then((answer) => answer.status)');
    expect(pages.server.bulk).toEqual([]);
    await pages.ana.page.getByRole('button', { name: 'Confirm: approve 10' }).waitFor();
    await press('Enter');
    await eventually(async () => expect(pages.server.bulk).toHaveLength(10));
    expectDocumented('10 alike');
  });

  test('an undo', async () => {
    pages.server.holds = [titled(1), titled(2)].map((hold) => ({ ...hold, graceMs: 600_000 }));
    await open(titled(1));
    // The yes itself is not counted.
    await pages.ana.page.keyboard.press('a');
    await untilArmed();
    await pages.ana.page.keyboard.press('Enter');
    await untilShown('Pay 2?');
    await press('z');
    await eventually(async () => expect(pages.server.holds[0]?.outgoing).toBeNull());
    expectDocumented('an undo');
  });

  test('no other task in the documentation', () => {
    expect(Object.keys(documented).toSorted()).toEqual([...tasks].toSorted());
  });
});
