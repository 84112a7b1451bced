import { z } from 'zod';

const rules = {
  /** Of questions that name none. */
  policy: z.string().optional(),
  /** The policies that a question may name; missing: all. */
  policies: z.array(z.string()).max(200).optional(),
};

/** What programs may ask people. */
export const AskSchema = z
  .strictObject({
    ...rules,
    /** The workflows of others that may ask, by Nexus endpoint or namespace; what an entry leaves out is as above. */
    nexus: z.record(z.string().min(1).max(200), z.strictObject(rules)).optional(),
    /** The signals that a question's callback may send to workflows of others, by namespace; missing: none. */
    signals: z.record(z.string().min(1).max(200), z.array(z.string().min(1).max(200)).min(1).max(200)).optional(),
  })
  .prefault({});
