import { z } from 'zod';

const rules = {
  policy: z
    .string()
    .optional()
    .describe('The policy of a question that names none. Default: none; operators are asked.'),
  policies: z.array(z.string()).max(200).optional().describe('The policies that a question may name. Default: all.'),
};

/** What programs may ask people. */
export const AskSchema = z
  .strictObject({
    ...rules,
    nexus: z
      .record(z.string().min(1).max(200), z.strictObject(rules))
      .optional()
      .describe(
        'Workflows of others that may ask, by Nexus endpoint or namespace; an entry takes what it leaves out from `ask`. Default: none.',
      ),
    signals: z
      .record(z.string().min(1).max(200), z.array(z.string().min(1).max(200)).min(1).max(200))
      .optional()
      .describe(
        'Signals that the callback of a question may send to workflows of others, by namespace. Default: none.',
      ),
  })
  .prefault({});
