// What @rjsf/core asks of a validator, over a checker that needs no eval (CSP forbids it).
import type { ErrorSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils';
import { dictOf, isDict } from '../values/dict.ts';
import { problemsOf, unitsOf } from '../answer/check.ts';
import { fieldMessage } from './field-message.ts';

export interface FieldProblem {
  path: string[];
  message: string;
}

/** Wrong fields in words. */
export function fieldProblems(schema: unknown, values: unknown): FieldProblem[] {
  return problemsOf(dictOf(schema), values).map((problem) => ({ path: problem.path, message: fieldMessage(problem) }));
}

/** rjsf's tree of messages: `__errors` at each place. */
export function errorTree(problems: readonly FieldProblem[]): ErrorSchema {
  const root: Record<string, unknown> = {};
  for (const { path, message } of problems) {
    let here = root;
    for (const key of path) {
      if (!Object.hasOwn(here, key)) here[key] = {};
      here = dictOf(here[key]);
    }
    const messages = Array.isArray(here['__errors']) ? here['__errors'] : [];
    here['__errors'] = [...messages, message];
  }
  return asErrorSchema(root);
}

// Safe: built just above in the shape that rjsf documents.
const asErrorSchema = (tree: Record<string, unknown>): ErrorSchema => tree as ErrorSchema;

export const validator: ValidatorType<unknown> = {
  validateFormData(formData, schema): ValidationData<unknown> {
    const problems = fieldProblems(schema, formData ?? {});
    const errors = problems.map(({ path, message }): RJSFValidationError => ({
      property: `.${path.join('.')}`,
      message,
      stack: message,
    }));
    return { errors, errorSchema: errorTree(problems) };
  },
  /** Which branch of `oneOf`, `anyOf` or `if` the data is in. */
  isValid(schema, formData, rootSchema) {
    const units = unitsOf(schema, isDict(rootSchema) ? rootSchema : {}, formData);
    return units !== null && units.length === 0;
  },
  rawValidation: (schema, formData) => ({ errors: asResults(fieldProblems(schema, formData)) }),
};

// Safe: only rjsf's playground reads it.
const asResults = <Result>(problems: FieldProblem[]): Result[] => problems as Result[];
