/** An `a2a.hitl.form`. */
export function expenseForm(ask: {
  formId: string;
  claim: string;
  amount: number | null;
  errors?: { [field: string]: string };
  values?: object;
}): { type: string; formId: string; title: string; description: string; fields: FormField[] };

export interface FormField {
  name: string;
  label: string;
  type: string;
  [word: string]: FormWord;
}
export type FormWord = string | number | boolean | FormWord[] | { [word: string]: FormWord };

/** Errors by field; empty when the answer is good. */
export function checkExpense(values: unknown): Record<string, string>;

/** The first amount named in a text, or null. */
export function amountIn(text: string): number | null;
