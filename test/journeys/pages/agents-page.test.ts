// The agents as their operators see them: all at once, what is wrong first, the rest behind a press.
import { expect, test } from '@jest/globals';
import type { AgentDetail } from '../../../src/contract/views/operate.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages({ width: 1440, height: 900 });
const at = '2026-11-20T09:00:00.000Z';

const agent = (name: string, change: Partial<AgentDetail> = {}): AgentDetail => ({
  name,
  title: `Agent ${name}`,
  description: `What ${name} is for.`,
  url: `http://127.0.0.1:1/${name}`,
  state: 'ok',
  cardSeenAt: at,
  version: '1.0.0',
  provider: '',
  interfaces: ['JSONRPC 1.0'],
  streaming: true,
  pushNotifications: false,
  extensions: [],
  inputModes: ['text/plain'],
  outputModes: ['text/plain'],
  dialects: [],
  skills: [],
  policy: null,
  rules: [],
  tasks: { open: 1, done: 20, failed: 2, cancelled: 0 },
  questions: { open: 3, asked: 30 },
  lately: Array.from({ length: 14 }, (_, day) => ({ asked: day, failed: 0 })),
  lastTask: { id: 't-1', at, status: 'DONE' },
  lastFailure: { id: 't-2', at, code: 'agent_failed', message: 'It broke.' },
  away: null,
  slots: { sending: 0, answering: 0, silent: 0 },
  ...change,
});

const show = async (items: AgentDetail[], hash = ''): Promise<void> => {
  await pages.ana.page.route('**/api/agents', (route) => route.fulfill({ json: { items } }));
  await pages.ana.open(`/operate/agents${hash}`);
  await pages.ana.page
    .locator('.agent-line')
    .nth(items.length - 1)
    .waitFor();
};

// Promise S53
test('agents are a line each, ten on one screen, and say what is wrong without a press', async () => {
  const { page } = pages.ana;
  const away = { since: at, state: 'open', cause: 'refused', waiting: 2 } as const;
  const names = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  await show([agent('a', { state: 'away', away }), ...names.map((name) => agent(name))]);
  await page.getByText(/2 messages wait and go when it is back/).waitFor();
  const last = await page.locator('.agents > li').last().boundingBox();
  expect((last?.y ?? Number.POSITIVE_INFINITY) + (last?.height ?? 0)).toBeLessThanOrEqual(900);
  expect(await page.getByText('What b is for.').count()).toBe(0);
  await page.getByRole('button', { name: 'More of Agent b' }).click();
  await page.getByText('What b is for.').waitFor();
  await page.getByText('It broke.').waitFor();
  expect(await axeViolations(page)).toEqual([]);
});

test('agents that a link names are open, and so is one that is alone', async () => {
  const { page } = pages.ana;
  await show([agent('a'), agent('b')], '#b');
  await page.getByText('What b is for.').waitFor();
  expect(await page.getByText('What a is for.').count()).toBe(0);
  await show([agent('a')]);
  await page.getByText('What a is for.').waitFor();
});
