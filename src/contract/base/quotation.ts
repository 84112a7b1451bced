import { z } from 'zod';

/** What a person wrote: shown as a quotation, with their name, and never as what Standfast or an agent says. */
export const QuotationSchema = z.object({ by: z.string(), words: z.string() });
export type Quotation = z.infer<typeof QuotationSchema>;
