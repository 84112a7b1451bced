// Which fields say how much, and in what: by their names, and a currency by its code, too.

const amountName = /amount|total|price|sum|cost(?!_?-?cent)|fee|budget|salary|balance|betrag|preis|summe/iu;
const currencyName = /currency|währung/iu;
const currencyCode = /^\p{Lu}{3}$/u;

export const isAmountField = (name: string): boolean => amountName.test(name);

export const isCurrencyField = (name: string, value: unknown): boolean =>
  currencyName.test(name) && typeof value === 'string' && currencyCode.test(value);
