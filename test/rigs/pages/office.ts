// An office with six agents, four policies and a month of questions, behind the real api and the built pages: no Temporal,
// no worker. For looking at pages that only read.
import { join } from 'node:path';
import { KeptCardSchema } from '../../../src/contract/tasks/agent-card.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { startRig, type Rig } from '../../api/rig.ts';
import { root } from '../../source-tree.ts';
import { writeOffice, type OfficeRecord } from './office-record.ts';

export const officeKeys = {
  anna: 'key-of-anna-in-the-office',
  ben: 'key-of-ben-in-the-office',
  rita: 'key-of-rita-in-the-office',
  ops: 'key-of-ops-in-the-office',
};

export const officeConfig = {
  agents: {
    expenses: { url: 'http://127.0.0.1:8701/', title: 'Expenses', policy: 'finance' },
    refunds: {
      url: 'http://127.0.0.1:8702/',
      title: 'Refunds',
      policy: 'finance',
      rules: [{ when: { data: 'amount > 1000' }, policy: 'two-of-finance' }],
    },
    'legal-review-assistant-emea': {
      url: 'http://127.0.0.1:8703/',
      title: 'Legal review assistant (EMEA)',
      policy: 'ops',
    },
    infrastructure: { url: 'http://127.0.0.1:8704/', title: 'Infrastructure change bot', policy: 'ops' },
    travel: { url: 'http://127.0.0.1:8705/', title: 'Travel desk', policy: 'finance' },
    checker: { url: 'http://127.0.0.1:8706/' },
  },
  policies: {
    finance: {
      audience: ['role:finance'],
      exclude: ['requester' as const],
      ladder: [
        { after: '30m', remind: true as const, every: '4h' },
        { after: '4h', escalate: ['role:finance-lead'] },
      ],
      expire: { after: '24h', then: 'fail' as const },
    },
    'two-of-finance': {
      audience: ['role:finance'],
      quorum: 2,
      danger: true,
      expire: { after: '4h', then: 'reject' as const },
    },
    ops: {
      audience: ['role:ops'],
      ladder: [{ after: '20m', remind: true as const }],
      expire: { after: '1h', then: 'fail' as const },
    },
    office: {
      audience: ['user:anna'],
      calendar: { zone: 'Europe/Berlin', hours: 'Mon-Fri 09:00-17:30', holidays: 'DE-BY' },
      ladder: [{ after: '2h', escalate: ['user:ben'], replace: true }],
      expire: { after: '16h', then: 'keep-open' as const },
    },
  },
  users: {
    anna: { name: 'Anna Arnold' },
    ben: { name: 'Ben Okafor' },
    cem: { name: 'Cem Yıldız', away: { delegate: 'user:ben' } },
    rita: { name: 'Rita Sommer' },
    tom: { name: 'Tom Weber' },
  },
  auth: {
    keys: [
      { user: 'anna', roles: ['finance'], key: officeKeys.anna },
      { user: 'ben', roles: ['finance', 'finance-lead', 'ops'], key: officeKeys.ben },
      { user: 'rita', roles: [], key: officeKeys.rita },
      { user: 'ops', roles: ['operator', 'ops'], key: officeKeys.ops },
    ],
  },
};

const card = (name: string, description: string, examples: string[], more: JsonObject = {}): JsonObject =>
  KeptCardSchema.parse({
    name,
    description,
    version: '1.4.0',
    provider: { organization: 'Example AG' },
    supportedInterfaces: [{ protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'main', name: `${name} work`, description, tags: ['approval'], examples }],
    ...more,
  });

export interface Office extends Rig {
  url: string;
}

/** With `isKeyless` as on one's own machine, where there is no sign-in. */
export async function openOffice(change: Partial<OfficeRecord> = {}, isKeyless = false): Promise<Office> {
  const opened = isKeyless ? { ...officeConfig, auth: { keys: [] } } : officeConfig;
  const rig = await startRig({ config: opened, webDir: join(root, 'dist/web') });
  const { agents } = rig.store;
  await agents.saveCard(
    'expenses',
    card('Expenses', 'Files receipts and asks before money moves.', [
      'Lunch with the customer, 84.50 EUR',
      'Train to Hamburg, 35.00 EUR',
    ]),
  );
  await agents.saveCard('refunds', card('Refunds', 'Pays customers back.', ['Refund order 4711']));
  await agents.saveCard('travel', card('Travel desk', 'Books trains and hotels.', ['A train to Lyon on Monday']));
  await agents.saveCard('infrastructure', card('Infrastructure change bot', 'Changes databases and hosts.', []));
  await writeOffice({
    config: rig.config,
    store: rig.store,
    now: Date.now(),
    days: 45,
    perDay: 9,
    open: 14,
    ...change,
  });
  const url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...rig, url };
}
