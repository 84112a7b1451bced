// One open question of each shape that a page draws differently, put into an office: for looking at.
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { authDialect } from '../../../src/wire/a2a/dialects/auth/auth.ts';
import { aQuestion } from '../../api/rig.ts';
import { type OfficeRecord, putOpen } from './office-record.ts';

interface Asked {
  agent: string;
  policy: string;
  words: string;
  question: Partial<HoldRow['question']>;
  attachments?: HoldRow['attachments'];
}

const yesOrNo = (field: string): JsonObject => ({
  type: 'object',
  properties: { [field]: { type: 'boolean', title: 'Approve' } },
  required: [field],
});

const statements = Array.from({ length: 24 }, (_, n) => `UPDATE orders SET region = 'eu-${n}' WHERE id % 24 = ${n};`);

const letter = [
  'Dear Ms Miller,',
  'the invoice of 3 October over 1,840.00 EUR is still open. We would be glad to see it paid by the end of next week.',
  'If you have paid it in the meantime, please take this letter as settled.',
  'Kind regards,\nExample AG, accounts',
].join('\n\n');

const text = (title: string, more: JsonObject = {}): JsonObject => ({ type: 'string', title, ...more });
const address: JsonObject = {
  type: 'object',
  title: 'Address',
  properties: {
    street: text('Street'),
    city: text('City'),
    postcode: text('Postcode', { pattern: '^[0-9]{5}$' }),
    country: text('Country', { enum: ['Germany', 'Austria', 'Switzerland', 'France', 'Italy'] }),
  },
  required: ['street', 'city'],
};
const supplier: JsonObject = {
  type: 'object',
  properties: {
    name: text('Name'),
    vat: text('VAT number', { description: 'As it is on the invoice.' }),
    address,
    contacts: {
      type: 'array',
      title: 'Contacts',
      items: {
        type: 'object',
        properties: { name: text('Name'), mail: text('Mail', { format: 'email' }), phone: text('Phone') },
        required: ['name'],
      },
    },
    goods: {
      type: 'array',
      title: 'Goods',
      uniqueItems: true,
      items: text('', { enum: ['paper', 'furniture', 'software', 'travel', 'food', 'machines', 'services'] }),
    },
    terms: text('Payment terms', { enum: ['14 days', '30 days', '60 days'] }),
    since: text('Supplier since', { format: 'date' }),
  },
  required: ['name', 'vat', 'address', 'terms'],
};

const calendarLogin =
  'https://login.calendar.example/authorize?response_type=code&client_id=travel&scope=calendar.read' +
  '&login_hint=rita@example.org';
const auth = authDialect.detect({
  agent: 'travel',
  state: 'auth-required',
  message: {
    messageId: 'm1',
    role: 'agent',
    parts: [
      { kind: 'text', text: 'I need to see the calendar to choose a train.', metadata: {} },
      { kind: 'data', data: { url: calendarLogin, title: 'Calendar' } },
    ],
    metadata: {},
    extensions: [],
  },
} as unknown as Parameters<typeof authDialect.detect>[0]);

const diff = [
  '--- a/deploy/api.yaml',
  '+++ b/deploy/api.yaml',
  '@@ -12,4 +12,5 @@',
  '   name: api',
  ' spec:',
  '-  replicas: 3',
  '+  replicas: 6',
  '+  minReadySeconds: 20',
  '   template:',
  '--- a/deploy/worker.yaml',
  '+++ b/deploy/worker.yaml',
  '@@ -30,1 +30,1 @@',
  '-          memory: 512Mi',
  '+          memory: 1Gi',
].join('\n');

export const officeQuestions = {
  confirmation: {
    agent: 'expenses',
    policy: 'finance',
    words: 'Pay what Weber & Söhne sent last week',
    question: {
      kind: 'confirmation',
      title: 'Pay invoice 4711 of Weber & Söhne, 1,840.00 EUR?',
      message: 'It is due on Friday, and the goods have arrived. The account is the one we paid the last four times.',
      schema: yesOrNo('confirmed'),
    },
  },
  call: {
    agent: 'refunds',
    policy: 'finance',
    words: 'Remind Miller Ltd of the open invoice',
    question: {
      kind: 'tool_call',
      dialect: 'langchain',
      title: 'Send the reminder to Miller Ltd?',
      message: 'They have not answered the first one.',
      schema: {
        type: 'object',
        properties: { approved: { type: 'boolean', title: 'Approve' }, editedArgs: { type: 'object' } },
        required: ['approved'],
      },
      tool: {
        callId: 'call-1',
        name: 'send_mail',
        args: {
          to: ['finance@miller.example'],
          copy: ['anna@example.org'],
          subject: 'Invoice 2026-1003, second reminder',
          body: letter,
          priority: 'normal',
          attach: true,
        },
        isEditable: true,
      },
    },
  },
  long: {
    agent: 'infrastructure',
    policy: 'finance',
    words: 'Move all orders to their region',
    question: {
      kind: 'tool_call',
      dialect: 'adk',
      title: 'Run 24 statements on the database of orders?',
      message: 'Each changes about two million rows.',
      schema: yesOrNo('approved'),
      tool: {
        callId: 'call-1',
        name: 'run_sql',
        args: { database: 'orders', sql: statements.join('\n'), rows: 48_210_331, dryRun: false },
        isEditable: false,
      },
    },
  },
  nested: {
    agent: 'legal-review-assistant-emea',
    policy: 'finance',
    words: 'Enter Kranz & Sons as a supplier',
    question: {
      kind: 'form',
      title: 'New supplier: Kranz & Sons',
      message: 'I read this from their letter. Please complete what it did not say.',
      schema: supplier,
      defaults: {
        name: 'Kranz & Sons GmbH',
        address: { street: 'Hafenstraße 12', city: 'Hamburg' },
        contacts: [
          { name: 'Ute Kranz', mail: 'ute@kranz.example' },
          { name: 'Jan Kranz', mail: 'jan@kranz.example', phone: '+49 40 1234' },
        ],
        goods: ['furniture'],
      },
    },
  },
  data: {
    agent: 'travel',
    policy: 'finance',
    words: 'Order the chairs for the new office',
    question: {
      kind: 'confirmation',
      title: 'Order for 18,326.40 EUR from Arco SpA?',
      message: 'The offer is valid until Monday; it is 4 % below the last one.',
      schema: yesOrNo('confirmed'),
    },
    attachments: [
      {
        id: 'd1',
        source: 'question' as const,
        name: 'Offer',
        mediaType: 'application/json',
        size: 900,
        uri: null,
        digest: 'sha256:1',
        omitted: null,
        data: {
          supplier: { name: 'Arco SpA', city: 'Udine' },
          total: 18_326.4,
          currency: 'EUR',
          insured: true,
          lines: [
            {
              article: 'Chair "Lido", oak',
              count: 48,
              price: 210,
              discountPercent: 4,
              currency: 'EUR',
              total: 9_676.8,
            },
            {
              article: 'Desk, 160 × 80 cm',
              count: 18,
              price: 480,
              discountPercent: 4,
              currency: 'EUR',
              total: 8_294.4,
            },
            { article: 'Lamp', count: 12, price: 29.6, discountPercent: 0, currency: 'EUR', total: 355.2 },
          ],
        },
      },
      {
        id: 'f1',
        source: 'question' as const,
        name: 'offer-2026-311.pdf',
        mediaType: 'application/pdf',
        size: 284_120,
        uri: 'https://arco.example/offers/311',
        digest: null,
        omitted: 'link' as const,
      },
    ],
  },
  diff: {
    agent: 'infrastructure',
    policy: 'finance',
    words: 'Make room for the sale on Friday',
    question: {
      kind: 'confirmation',
      title: 'Apply this change to production?',
      message: [
        'It doubles the api before the sale, and gives the workers more memory.',
        '',
        '```diff',
        diff,
        '```',
      ].join('\n'),
      schema: yesOrNo('confirmed'),
    },
  },
  permission: {
    agent: 'travel',
    policy: 'finance',
    words: 'A train to Lyon on Monday, after my meetings',
    question: (auth.result === 'ok' ? auth.questions[0] : undefined) ?? {},
  },
} satisfies Record<string, Asked>;

/** Puts all of them into the store; resolves with their ids by name. */
export async function writeQuestions(record: OfficeRecord): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [index, [name, asked]] of Object.entries<Asked>(officeQuestions).entries()) {
    const openedAt = record.now - (90 - index) * 60_000;
    const question = aQuestion(asked.question);
    const put = { ...asked, name: `shape-${name}`, owner: 'rita', question, openedAt, until: record.now };
    ids[name] = (await putOpen(record, put)).holdId;
  }
  return ids;
}
