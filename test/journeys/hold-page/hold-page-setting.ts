// A whole Standfast with people, an agent that pauses on command in any dialect, and a browser for each person.
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent, type LedgerEntry } from '../../rigs/agents/agent.ts';
import { openReader, startBrowser, type Reader, type ReaderOptions } from '../../rigs/pages/browser.ts';
import type { StandfastClient, Up } from '../../rigs/product/standfast.ts';
import type { Supervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { longMs, openHold, readHold } from '../setting.ts';
import { startProduct } from '../start-product.ts';

export const keys = {
  ana: 'key-of-ana-123456',
  cem: 'key-of-cem-123456',
  bob: 'key-of-bob-123456',
  ops: 'key-of-ops-123456',
};
export type Person = keyof typeof keys;
export type AgentName = 'expenses' | 'hasty' | 'careful' | 'chatty' | 'judged' | 'graced' | 'brief';

const configText = (agentUrl: string, judgeUrl: string): string => `
agents:
  expenses: { url: '${agentUrl}', policy: finance, mustAsk: [wipe] }
  hasty: { url: '${agentUrl}', policy: hasty }
  careful: { url: '${agentUrl}', policy: careful }
  chatty: { url: '${agentUrl}', adopt: all }
  judged: { url: '${agentUrl}', policy: judged }
  judge: { url: '${judgeUrl}' }
  graced: { url: '${agentUrl}', policy: graced }
  brief: { url: '${agentUrl}', policy: brief }
  absent: { url: 'http://127.0.0.1:1/' }
policies:
  finance: { audience: ['role:finance'], ladder: [{ after: 30m, remind: true }], expire: { after: 2h, then: fail } }
  hasty: { audience: ['role:finance'], expire: { after: 40s, then: fail } }
  careful: { audience: ['role:finance'], quorum: 2, danger: true, expire: { after: 2h, then: reject } }
  graced: { audience: ['role:finance'], grace: 10m, expire: { after: 2h, then: fail } }
  brief: { audience: ['role:finance'], grace: 10s, expire: { after: 2h, then: fail } }
  judged:
    audience: ['role:finance', 'agent:judge', 'agent:absent']
    ladder: [{ after: 1h, escalate: ['role:sales'] }]
    expire: { after: 2h, then: fail }
auth:
  keys:
    - { user: ana, roles: [finance], key: '${keys.ana}' }
    - { user: cem, roles: [finance], key: '${keys.cem}' }
    - { user: bob, roles: [sales], key: '${keys.bob}' }
    - { user: ops, roles: [operator], key: '${keys.ops}' }
users:
  ana: { name: Ana }
  cem: { name: Cem }
`;

/** One turn that pauses; the next one says back what came, and completes. */
export interface Pause {
  state?: 'TASK_STATE_INPUT_REQUIRED' | 'TASK_STATE_AUTH_REQUIRED';
  parts: object[];
}

interface HoldSetting {
  supervisor: Supervisor;
  fake: FakeAgent;
  up: Up;
  browser: Browser;
  as(who: Person): StandfastClient;
  /** Bob's agent pauses, and once more for each further pause; resolves with the first open hold. */
  ask(pause: Pause | Pause[], agent?: AgentName): Promise<HoldView>;
  open(who: Person, options?: ReaderOptions): Promise<Reader>;
  /** The last message that reached the agent for this hold's task. */
  lastMessage(hold: HoldView): Promise<LedgerEntry>;
  messagesOf(hold: HoldView): Promise<LedgerEntry[]>;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
}

/** Registers the hooks of a test file: all of it is there once the tests run. */
export function startHolds(): HoldSetting {
  let fake: FakeAgent;
  let browser: Browser | undefined;
  const { supervisor, up, startAgain } = startProduct(async () => {
    fake = await startFakeAgent(supervisor);
    return configText(fake.url, (await startFakeAgent(supervisor)).url);
  });
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const opened = (): Browser => {
    if (browser === undefined) throw new Error('the browser is there once the tests run');
    return browser;
  };
  let asked = 0;
  const messagesOf = async (hold: HoldView): Promise<LedgerEntry[]> => {
    const { body } = await up.as(keys.ops).get(`/api/tasks/${hold.taskId}`);
    const contextId = typeof body === 'object' && body !== null && 'contextId' in body ? body.contextId : null;
    return (await fake.messages()).filter((message) => message.contextId === contextId);
  };
  return {
    supervisor,
    get fake() {
      return fake;
    },
    up,
    get browser() {
      return opened();
    },
    as: (who) => up.as(keys[who]),
    ask: async (given, agent = 'expenses') => {
      asked += 1;
      const threadId = `page-${asked}`;
      const bob = up.as(keys.bob);
      const pauses = Array.isArray(given) ? given : [given];
      const turns = pauses.map((pause) => [{ do: 'pause', ...pause }]);
      const script = { turns: [...turns, [{ do: 'echo' }, { do: 'complete' }]] };
      await bob.run(agent, { threadId, runId: `${threadId}-1`, text: JSON.stringify(script) });
      return openHold(bob, agent, threadId);
    },
    open: (who, readerOptions = {}) => openReader(opened(), up.url, { ...readerOptions, apiKey: keys[who] }),
    messagesOf,
    lastMessage: async (hold) =>
      waitFor(async () => (await messagesOf(hold)).at(1), longMs, `an answer for ${hold.title}`),
    kill: () => up.process.kill9(),
    startAgain,
  };
}

/* Questions as agents of each dialect write them. */

const form = (title: string, fields: object[], more: object = {}): Pause => ({
  parts: [{ data: { type: 'a2a.hitl.form', formId: 'f-1', title, description: 'Please look.', fields, ...more } }],
});

export const yesNo = (title: string, words = ''): Pause => ({
  parts: [
    ...(words === '' ? [] : [{ text: words }]),
    ...form(title, [{ name: 'confirmed', label: 'Confirm', type: 'boolean', required: true }]).parts,
  ],
});

export const trip = (title = 'Which trip?'): Pause =>
  form(title, [
    { name: 'days', label: 'Days', type: 'integer', required: true, minimum: 1 },
    { name: 'class', label: 'Class', type: 'select', options: ['eco', 'business'], required: true },
    { name: 'mail', label: 'Receipt to', type: 'email' },
    { name: 'note', label: 'Note', type: 'text' },
  ]);

export const words = (text: string): Pause => ({ parts: [{ text }] });

const adk = (name: string, args: object): Pause => ({
  parts: [
    { text: 'I would like to go on.' },
    { data: { id: 'adk-1', name, args }, metadata: { adk_type: 'function_call', adk_is_long_running: true } },
  ],
});

export const refund = (tool = 'refund_payment'): Pause =>
  adk('adk_request_confirmation', {
    originalFunctionCall: { id: 'adk-o1', name: tool, args: { invoice: 'I-7' } },
    toolConfirmation: {
      hint: 'The customer got the wrong item.',
      confirmed: false,
      payload: { amount: 4210, note: 'full refund', notify: true, customer: 'C-118' },
    },
  });

export const fixedCall = (tool = 'delete_drafts'): Pause =>
  adk('adk_request_confirmation', {
    originalFunctionCall: { id: 'adk-o1', name: tool, args: { count: 3 } },
    toolConfirmation: { hint: '', confirmed: false },
  });

export const inputOf = (schema: object): Pause =>
  adk('adk_request_input', { message: 'Please fill this in.', response_schema: schema, interruptId: 'adk-1' });

export const permission = (): Pause => ({
  state: 'TASK_STATE_AUTH_REQUIRED',
  parts: [
    { text: 'I need to read your mailbox.' },
    { url: 'https://login.example/grant', filename: 'Grant access', mediaType: 'text/html' },
  ],
});

export const credential = (): Pause => ({
  state: 'TASK_STATE_AUTH_REQUIRED',
  ...adk('adk_request_credential', {
    functionCallId: 'adk-o1',
    authConfig: { authScheme: { type: 'http', scheme: 'basic' }, credentialKey: 'k' },
  }),
});

/** Opens a hold's page and waits until it can be used. */
export async function openPage(reader: Reader, hold: HoldView): Promise<Locator> {
  await reader.open(`/holds/${hold.id}`);
  const pane = reader.page.locator('.hold');
  await pane.locator('.decide, .sent, .record').first().waitFor();
  await pane.locator('.form-loading').waitFor({ state: 'detached' });
  return pane;
}

/** Presses Tab until what has the focus reads like this. */
export async function tabTo(reader: Reader, name: RegExp | string, bound = 60): Promise<void> {
  const wanted = typeof name === 'string' ? (text: string) => text === name : (text: string) => name.test(text);
  const seen: string[] = [];
  for (let presses = 0; presses < bound; presses += 1) {
    await reader.page.keyboard.press('Tab');
    const text = await reader.page.evaluate<string>(`(() => {
      const one = document.activeElement;
      const label = one.labels?.[0]?.textContent ?? '';
      return (one.getAttribute('aria-label') ?? (label || one.textContent) ?? '').replace(/\\s+/g, ' ').trim();
    })()`);
    seen.push(text);
    if (wanted(text)) return;
  }
  throw new Error(`Tab never came to ${String(name)}: ${seen.join(' | ')}`);
}

/** Opens the field for the reason, as a first press of Reject does, and writes into it. */
export async function writeReason({ page }: Reader, text: string): Promise<Locator> {
  await page.locator('[data-action="reject"]').click();
  const field = page.getByLabel('Reason (optional)');
  await field.fill(text);
  return field;
}

/** Presses an argument of a call and writes another value in its place. */
export async function editArg({ page }: Reader, name: string, value: string): Promise<Locator> {
  await page.getByRole('button', { name: new RegExp(`^${name}: .*\\. Edit$`, 'su') }).click();
  const field = page.getByLabel(`${name}, you send`);
  await field.fill(value);
  return field;
}

/** Goes on a screen at a time until nothing is left to see, as the button to approve asks of its reader. */
export async function seeAll({ page }: Reader): Promise<void> {
  // What is still loaded takes no press, and what of it is on the screen is known some frames after it was drawn.
  const approve = page.locator('[data-action="approve"]:not([aria-disabled], [data-unseen])');
  const more = page.locator('[data-action="approve"][data-unseen]', { hasText: /[↓→]/u });
  await waitFor(
    async () => {
      if (await approve.isVisible()) return true;
      await more.click({ timeout: 2_000 }).catch(() => undefined);
      return false;
    },
    longMs,
    'all of it to be visible',
  );
}

/** Presses once what sends the answer, as soon as all of the question was on the screen. */
export async function pressOnceSeen(reader: Reader, name: string): Promise<void> {
  await seeAll(reader);
  await reader.page.getByRole('button', { name }).click();
}

export const standing = (reader: Reader, state: string): Promise<void> =>
  reader.page.locator(`.hold[data-standing="${state}"]`).waitFor();

export function waitForEnd(client: StandfastClient, hold: HoldView): Promise<HoldView> {
  return waitFor(
    async () => {
      const now = await readHold(client, hold.id);
      return now.status === 'open' ? undefined : now;
    },
    longMs,
    `the end of ${hold.title}`,
  );
}

/** What the agent got, in the data part of its answer. */
export function answered(message: LedgerEntry): unknown {
  const parts = message.parts ?? [];
  const [data] = parts.flatMap((part) =>
    typeof part === 'object' && part !== null && 'data' in part ? [part.data] : [],
  );
  expect(data).toBeDefined();
  return data;
}

/** A button is armed, and the double click that armed it is over: the next press confirms. */
export const armedIn = (reader: Reader): Promise<void> => reader.page.locator('[data-armed="ready"]').waitFor();
