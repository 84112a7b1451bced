// The form of the demo agent, and its own check of the answer: an agent never trusts who carries it.

/** Above this an expense needs more than a few words; only the agent knows this rule, the form does not say it. */
const explainAbove = 500;
const costCentres = [
  { value: 'sales', label: 'Sales' },
  { value: 'engineering', label: 'Engineering' },
  { value: 'operations', label: 'Operations' },
];

/** What a no does not need. */
const forYes = { approve: true };

/**
 * @param {{ formId: string, claim: string, amount: number | null, errors?: Record<string, string>, values?: object }} ask
 * @returns an `a2a.hitl.form`
 */
export function expenseForm({ formId, claim, amount, errors, values }) {
  return {
    type: 'a2a.hitl.form',
    formId,
    title: 'Approve an expense',
    description: `Claimed: ${claim}`,
    fields: [
      {
        name: 'amount',
        label: 'Amount (EUR)',
        type: 'number',
        required: forYes,
        min: 0.01,
        ...(amount !== null && { default: amount }),
      },
      { name: 'costCentre', label: 'Cost centre', type: 'select', required: forYes, options: costCentres },
      { name: 'purpose', label: 'Purpose', type: 'text', required: forYes, minLength: 3, maxLength: 500 },
      { name: 'reason', label: 'Reason for a no', type: 'text', maxLength: 500 },
      { name: 'approve', label: 'Approve', type: 'boolean', required: true },
    ],
    ...(errors && { metadata: { errors, values: values ?? {} } }),
  };
}

/**
 * @param {any} values as they came, so anything at all
 * @returns {Record<string, string>} errors by field; empty when the answer is good
 */
export function checkExpense(values) {
  if (typeof values !== 'object' || values === null) return { amount: 'is missing' };
  if (values.approve === false) return {};
  const { amount, costCentre, purpose, approve } = values;
  /** @type {Record<string, string>} */
  const errors = {};
  if (typeof amount !== 'number' || !(amount >= 0.01)) errors.amount = 'must be a number of at least 0.01';
  if (!costCentres.some((centre) => centre.value === costCentre)) errors.costCentre = 'is not one of the cost centres';
  if (typeof purpose !== 'string' || purpose.trim().length < 3) errors.purpose = 'must be at least 3 characters';
  else if (amount > explainAbove && purpose.trim().length < 20) {
    errors.purpose = `must be at least 20 characters for amounts above ${explainAbove} EUR`;
  }
  if (typeof approve !== 'boolean') errors.approve = 'must be true or false';
  return errors;
}

/** The first amount named in a text, or null. */
export function amountIn(text) {
  const found = /(\d+(?:[.,]\d{1,2})?)\s*(?:EUR|€|euros?)/i.exec(text);
  return found ? Number(found[1].replace(',', '.')) : null;
}
