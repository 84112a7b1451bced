// Who would be asked by a policy, as its card says it.
import { expect, test } from '@jest/globals';
import type { PolicyDetail } from '../../../src/contract/views/operate.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const policy: PolicyDetail = {
  name: 'office',
  isBuiltIn: false,
  audience: [
    {
      entry: 'user:anna',
      people: [
        { id: 'anna', standsInFor: null, isAway: true },
        { id: 'ben', standsInFor: 'anna', isAway: false },
      ],
    },
    { entry: 'role:finance', people: [{ id: 'fin', standsInFor: null, isAway: false }] },
    { entry: 'user:carla', people: [] },
    { entry: 'owner', people: [] },
  ],
  excludesRequester: false,
  deputies: 'anyone',
  quorum: 1,
  danger: false,
  grace: null,
  notify: [],
  ladder: [],
  expire: { after: '1h', atMs: 3_600_000, then: 'fail', clock: 'wall' },
  calendar: null,
  usedBy: [],
  open: 0,
};

// Promise S53
test('a policy shows a person whom it names alone once, by their face', async () => {
  const { page, open } = pages.ana;
  await page.route('**/api/policies', (route) => route.fulfill({ json: { items: [policy] } }));
  await open('/operate/policies');
  const lines = page.locator('.asked > li');
  const texts = async (): Promise<string[]> =>
    (await lines.allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, ' ').trim());
  await eventually(async () =>
    expect(await texts()).toEqual([
      'AN anna away BE ben stands in for anna',
      'anyone in finance FI fin',
      'carla: no key for it',
      'the requester',
    ]),
  );
});

// Promise S53
test('a policy that lets decisions be taken back says so apart from what happens without an answer', async () => {
  const { page, open } = pages.ana;
  const item = { ...policy, grace: '10s' };
  await page.route('**/api/policies', (route) => route.fulfill({ json: { items: [item] } }));
  await open('/operate/policies');
  await page.getByText('A decision can be taken back for 10 s.').waitFor();
  expect(await page.locator('.ladder-words li').allInnerTexts()).toHaveLength(2);
});
