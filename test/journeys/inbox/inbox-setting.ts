// A whole Standfast with people who have keys, one agent that asks on command, and one browser.
import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import { openReader, startBrowser, type Reader, type ReaderOptions } from '../../rigs/pages/browser.ts';
import type { StandfastClient, Up } from '../../rigs/product/standfast.ts';
import type { Supervisor } from '../../rigs/process/supervisor.ts';
import { openHold } from '../setting.ts';
import { startProduct } from '../start-product.ts';

export const keys = {
  ana: 'key-of-ana-123456',
  cem: 'key-of-cem-123456',
  bob: 'key-of-bob-123456',
  ops: 'key-of-ops-123456',
};
export type Person = keyof typeof keys;

const configText = (agentUrl: string): string => `
agents:
  expenses: { url: '${agentUrl}', policy: finance }
  cleaner: { url: '${agentUrl}', policy: finance }
policies:
  finance: { audience: ['role:finance'], ladder: [{ after: 30m, remind: true }], expire: { after: 2h, then: fail } }
auth:
  keys:
    - { user: ana, roles: [finance], key: '${keys.ana}' }
    - { user: cem, roles: [finance], key: '${keys.cem}' }
    - { user: bob, roles: [sales], key: '${keys.bob}' }
    - { user: ops, roles: [operator, finance], key: '${keys.ops}' }
users:
  ana: { name: Ana }
  cem: { name: Cem }
`;

export interface Question {
  title: string;
  agent?: 'expenses' | 'cleaner';
  description?: string;
  /** A plain yes or no; else a form with a colour and a note. */
  isYesNo?: boolean;
}

interface InboxSetting {
  supervisor: Supervisor;
  up: Up;
  browser: Browser;
  as(who: Person): StandfastClient;
  /** Bob's agent asks, on a thread of its own; resolves with the open hold. */
  ask(question: Question): Promise<HoldView>;
  open(who: Person | null, options?: ReaderOptions): Promise<Reader>;
  /** Kills everything as it is. */
  kill(): Promise<unknown>;
  /** The same data, on the same port. */
  startAgain(): Promise<void>;
}

const yesNo = [{ name: 'confirmed', label: 'Confirm', type: 'boolean', required: true }];

function scriptOf({ title, description = 'Please choose.', isYesNo = false }: Question): string {
  const form = { do: 'form', title, description, ...(isYesNo && { fields: yesNo }) };
  return JSON.stringify({ turns: [[form], [{ do: 'say', text: 'thanks' }, { do: 'complete' }]] });
}

/** Registers the hooks of a test file: all of it is there once the tests run. */
export function startInbox(): InboxSetting {
  let browser: Browser | undefined;
  const { supervisor, up, startAgain } = startProduct(async () => configText((await startFakeAgent(supervisor)).url));
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const opened = (): Browser => {
    if (browser === undefined) throw new Error('the browser is there once the tests run');
    return browser;
  };
  let asked = 0;
  return {
    supervisor,
    up,
    get browser() {
      return opened();
    },
    as: (who) => up.as(keys[who]),
    ask: async (question) => {
      asked += 1;
      const threadId = `asked-${asked}`;
      const agent = question.agent ?? 'expenses';
      const bob = up.as(keys.bob);
      await bob.run(agent, { threadId, runId: `${threadId}-1`, text: scriptOf(question) });
      return openHold(bob, agent, threadId);
    },
    open: (who, readerOptions = {}) =>
      openReader(opened(), up.url, { ...readerOptions, ...(who === null ? {} : { apiKey: keys[who] }) }),
    kill: () => up.process.kill9(),
    startAgain,
  };
}
