// The README's expense as its agent asks for it: a form with a field that decides.
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { aHold } from './page-server.ts';

const costCentre = {
  title: 'Cost centre',
  type: 'string',
  oneOf: ['Sales', 'Engineering', 'Operations'].map((title) => ({ const: title.toLowerCase(), title })),
};
const properties = {
  amount: { title: 'Amount (EUR)', type: 'number', minimum: 0.01 },
  costCentre,
  purpose: { title: 'Purpose', type: 'string', minLength: 3, maxLength: 500 },
  approve: { title: 'Approve', type: 'boolean' },
};

/** `required`: the fields that both answers must have; of more than these a yes asks alone. */
export const anExpense = (n: number, change: Partial<HoldView> = {}): HoldView =>
  aHold(n, {
    kind: 'form',
    title: 'Approve an expense',
    headline: 'Lunch with the customer, 84.50 EUR',
    message: 'Please check the claim, fill in what is missing, and approve or decline it.',
    schema: { type: 'object', properties, required: ['amount', 'costCentre', 'purpose', 'approve'] },
    defaults: { amount: 84.5 },
    decides: { field: 'approve', yes: true, no: false },
    onReject: 'cancels',
    ...change,
  });
