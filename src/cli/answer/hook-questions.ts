// A question that a coding agent asks its user with choices (Claude Code's AskUserQuestion), as a form for people.
import { z } from 'zod';
import type { JsonObject } from '../../contract/base/json.ts';
import { isObject } from '../../core/base/json.ts';
import { cutWithMark, visibleText } from '../../core/consent/gate.ts';
import type { Call } from './hook-formats.ts';

const QuestionsSchema = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().min(1),
        header: z.string().optional(),
        multiSelect: z.boolean().default(false),
        options: z
          .array(z.object({ label: z.string().min(1), description: z.string().default('') }))
          .min(1)
          .max(20),
      }),
    )
    .min(1)
    .max(10),
});
type Questions = z.infer<typeof QuestionsSchema>['questions'];

/** The call's questions; null where it is another call, or one that does not read as these. */
export function questionsOf({ event, tool, input }: Call): Questions | null {
  if (tool !== 'AskUserQuestion' || (event !== 'PreToolUse' && event !== 'PermissionRequest')) return null;
  const read = QuestionsSchema.safeParse(input);
  return read.success ? read.data.questions : null;
}

const shown = (text: string): string => cutWithMark(visibleText(text), 1_000);
const nameOf = (index: number): string => `q${index + 1}`;
const otherOf = (index: number): string => `q${index + 1}_other`;

/** The JSON Schema of the answers: choices go by their number, since labels may have characters that cannot be shown. */
export function formOf(questions: Questions): JsonObject {
  const properties = questions.flatMap(({ question, multiSelect, options }, index): [string, JsonObject][] => {
    const choices = options.map(({ label, description }, nth) => ({
      const: String(nth + 1),
      title: shown(description === '' ? label : `${label}: ${description}`),
    }));
    const one: JsonObject = { type: 'string', oneOf: choices };
    const field: JsonObject = multiSelect ? { type: 'array', items: one, uniqueItems: true } : one;
    return [
      [nameOf(index), { ...field, title: shown(question) }],
      [otherOf(index), { type: 'string', maxLength: 4_000, title: 'Another answer, in your words' }],
    ];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/** The call with people's answers, as the agent takes them; null: a question has none. */
export function answeredInput({ input }: Call, questions: Questions, values: unknown): JsonObject | null {
  if (!isObject(values)) return null;
  const answers = questions.map(({ question, options }, index): [string, string] => {
    const chosen = [values[nameOf(index)]].flat().flatMap((number) => options[Number(number) - 1]?.label ?? []);
    const other = values[otherOf(index)];
    const words = typeof other === 'string' && other.trim() !== '' ? [other] : [];
    return [question, [...chosen, ...words].join(', ')];
  });
  if (answers.some(([, answer]) => answer === '')) return null;
  return { ...input, answers: Object.fromEntries(answers) };
}
