import type { SchemaVerdict } from '../../contract/holds/schema-verdict.ts';

/**
 * What is wrong with values, by JSON pointer. What cannot be checked is refused: the question can still be declined, and
 * its task be cancelled.
 */
export function errorsOf(verdict: SchemaVerdict): { path: string; message: string }[] {
  if (verdict.ok) return [];
  if ('errors' in verdict) return verdict.errors;
  const message = `no answer can be checked, ${verdict.unusable}; decline the question, or cancel its task`;
  return [{ path: '', message }];
}
