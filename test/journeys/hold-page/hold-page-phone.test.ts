// The question on a phone: what floats over it leaves its tools free. On the built pages over canned questions.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { axeViolations, inNetwork, openReader, startBrowser } from '../../rigs/pages/browser.ts';
import { finger } from '../../rigs/pages/finger.ts';
import { aHold, startPageServer, type PageServer } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { buildOnce } from '../setting.ts';
import { armedIn } from './hold-page-setting.ts';

let server: PageServer;
let browser: Browser;
beforeAll(async () => {
  buildOnce();
  server = await startPageServer(0);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const boxOf = async (one: Locator): Promise<{ top: number; bottom: number }> => {
  const box = await one.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return { top: box.y, bottom: box.y + box.height };
};

test('a phone that reaches Standfast by plain http in its network decides a question', async () => {
  server.holds = [aHold(1)];
  server.decisions = [];
  const phone = await openReader(browser, inNetwork(server.url), { width: 390, height: 844, hasTouch: true });
  await phone.open(`/holds/${aHold(1).id}`);
  expect(await phone.page.evaluate('isSecureContext')).toBe(false);
  const approve = phone.page.locator('.hold [data-action="approve"]:not([aria-disabled])');
  await approve.tap();
  await armedIn(phone);
  await approve.tap();
  await eventually(async () => expect(server.decisions).toHaveLength(1));
  expect(phone.complaints).toEqual([]);
  await phone.close();
});

test('what was decided last covers neither the tools nor the title of the question after it', async () => {
  server.holds = [aHold(1, { graceMs: 60_000 }), aHold(2, { graceMs: 60_000 })];
  const phone = await openReader(browser, server.url, { width: 390, height: 844, hasTouch: true, movesOn: true });
  const { page } = phone;
  // From the list, which is where the question after it comes from.
  await phone.open('/');
  await page.locator('.row').nth(1).waitFor();
  await page.locator('.row a').first().click();
  const approve = page.locator('.hold [data-action="approve"]:not([aria-disabled])');
  await approve.tap();
  await armedIn(phone);
  await approve.tap();
  await page.getByRole('heading', { level: 1, name: 'Pay invoice 2?', exact: true }).waitFor();
  const last = await boxOf(page.locator('.undo-bar'));
  const tools = await boxOf(page.locator('.hold-bar'));
  const bar = await boxOf(page.locator('.decide'));
  const title = await boxOf(page.getByRole('heading', { level: 1 }));
  expect(last.top).toBeGreaterThanOrEqual(tools.bottom);
  expect(last.bottom).toBeLessThanOrEqual(title.top);
  expect(title.bottom).toBeLessThanOrEqual(bar.top);
  expect(phone.complaints).toEqual([]);
  await phone.close();
});

test('a finger that stays on Approve approves, and a short one only arms', async () => {
  server.holds = [aHold(1), aHold(2)];
  server.decisions = [];
  const phone = await openReader(browser, server.url, { width: 390, height: 844, hasTouch: true });
  const { page } = phone;
  await phone.open(`/holds/${aHold(1).id}`);
  const approve = page.locator('.hold [data-action="approve"]:not([aria-disabled])');
  await approve.waitFor();
  await approve.tap();
  await armedIn(phone);
  await page.keyboard.press('Escape');
  expect(server.decisions).toEqual([]);
  const { lift } = await finger(phone, approve);
  await eventually(async () => expect(server.decisions).toHaveLength(1));
  await lift();
  expect(server.decisions.map(({ id }) => id)).toEqual([aHold(1).id]);
  expect(phone.complaints).toEqual([]);
  await phone.close();
});

test('a question pulled to the right opens the menu that puts it off, as its button does', async () => {
  server.holds = [aHold(1)];
  const phone = await openReader(browser, server.url, { width: 390, height: 844, hasTouch: true });
  const { page } = phone;
  await phone.open(`/holds/${aHold(1).id}`);
  const title = page.getByRole('heading', { level: 1 });
  await title.waitFor();
  const menu = page.locator('details[data-menu="snooze"]');
  await (await finger(phone, title, 40)).lift();
  expect(await menu.getAttribute('open')).toBeNull();
  await (await finger(phone, title, 120)).lift();
  await page.locator('details[data-menu="snooze"][open] .menu-items button').first().waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(phone.complaints).toEqual([]);
  await phone.close();
});

test('what the buttons do is one line, all of it behind a press, and whole before one confirms', async () => {
  server.holds = [aHold(1), aHold(2)];
  const phone = await openReader(browser, server.url, { width: 390, height: 844, hasTouch: true });
  const { page } = phone;
  await phone.open(`/holds/${aHold(1).id}`);
  const approve = page.locator('.hold [data-action="approve"]:not([aria-disabled])');
  await approve.waitFor();
  const means = page.locator('.decide-means');
  const heightOf = async (one: Locator): Promise<number> => (await one.boundingBox())?.height ?? Number.NaN;
  expect(await heightOf(means)).toBeLessThanOrEqual(20);
  expect(await heightOf(page.locator('.decide'))).toBeLessThan(844 / 6);
  const at = await boxOf(approve);
  await page.getByRole('button', { name: 'What these buttons do' }).tap();
  await page.getByText('Hold Approve to approve at once.').waitFor();
  expect(await heightOf(means)).toBeGreaterThan(20);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'What these buttons do' }).tap();
  await approve.tap();
  await page.locator('[data-armed="ready"]').waitFor();
  expect(await means.innerText()).toMatch(
    /^Approving tells Expenses yes\. This is final\. Press again to confirm\.(?!.*Esc)/su,
  );
  expect(await page.evaluate('document.querySelector(".decide-means").matches(".cut")')).toBe(false);
  expect((await boxOf(approve)).bottom).toBe(at.bottom);
  await page.locator('.hold [data-action="reject"]').tap();
  await page.locator('[data-armed="ready"][data-action="reject"]').waitFor();
  expect(await means.innerText()).toMatch(/Press again to confirm\.$/u);
  expect(phone.complaints).toEqual([]);
  await phone.close();
});
