import { dictOf, isDict } from './dict.ts';

/** Choices of a field with their words: `oneOf` or `anyOf` with titles, or `enum`. */
export function choicesOf(property: unknown): { value: unknown; title: string }[] {
  const { oneOf, anyOf, enum: values } = dictOf(property);
  const titled = oneOf ?? anyOf;
  if (Array.isArray(titled) && titled.length > 0 && titled.every((one) => isDict(one) && 'const' in one)) {
    return titled.map((one) => ({
      value: one.const,
      title: typeof one.title === 'string' ? one.title : String(one.const),
    }));
  }
  return Array.isArray(values) ? values.map((value) => ({ value, title: String(value) })) : [];
}
