// Values of the query string and the path: lists ignore case, may be repeated or comma-separated; an unknown value is refused.
import { z } from 'zod';
import { AgentNameSchema, ThreadIdSchema } from '../../contract/base/ids.ts';
import { plainText } from '../../contract/base/text-schemas.ts';
import { clockOf } from '../../core/policy/days-and-hours.ts';

function isZone(zone: string): boolean {
  try {
    clockOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Whose days they are. */
export const ZoneSchema = z
  .string()
  .max(64)
  .refine(isZone, 'expected an IANA time zone, such as Europe/Berlin')
  .default('UTC')
  .describe('IANA time zone of the days, such as Europe/Berlin');

const noControls = /^[^\p{Cc}]*$/u;

/** Ids in a path: anything we could have given out. */
export const PathIdSchema = z.string().min(1).max(400).regex(noControls, 'must not contain control characters');

export const AgentParamsSchema = z.object({
  agent: z.string().max(100).regex(noControls, 'must not contain control characters'),
});
export const ThreadParamsSchema = z.object({ agent: AgentParamsSchema.shape.agent, threadId: ThreadIdSchema });
export const IdParamsSchema = z.object({ id: PathIdSchema });

/** `?status=open,decided&status=EXPIRED` → the known values, or a refusal naming them. The description has them, too. */
export function enumListParam<const W extends readonly [string, ...string[]]>(
  values: W,
  about: string,
): z.ZodType<W[number][] | undefined> {
  const known = new Map(values.map((one) => [one.toLowerCase(), one]));
  const expected = `expected one of ${values.join(', ')}`;
  return z
    .union([z.string().max(1000), z.array(z.string().max(1000)).max(50)])
    .optional()
    .transform((given, context): W[number][] | undefined => {
      const asked = (given === undefined ? [] : [given])
        .flat()
        .flatMap((text) => text.split(','))
        .map((part) => part.trim())
        .filter((part) => part !== '');
      const unknown = asked.filter((part) => !known.has(part.toLowerCase()));
      if (unknown.length > 0) {
        context.addIssue({ code: 'custom', message: `${expected}; not ${unknown.join(', ').slice(0, 100)}` });
        return z.NEVER;
      }
      return asked.length === 0 ? undefined : asked.map((part): W[number] => known.get(part.toLowerCase()) ?? part);
    })
    .describe(`${about}: ${values.join(', ')}; several by commas`);
}

/** `?view=Mine` → the one known value, or a refusal. */
export function enumParam<const W extends readonly [string, ...string[]]>(
  values: W,
  about: string,
): z.ZodType<W[number] | undefined> {
  return enumListParam(values, about)
    .transform((found, context): W[number] | undefined => {
      if (found === undefined || found.length === 1) return found?.[0];
      context.addIssue({ code: 'custom', message: `expected one of ${values.join(', ')}, not several` });
      return z.NEVER;
    })
    .describe(`${about}: ${values.join(', ')}`);
}

export const PageQueryShape = {
  id: plainText(400).min(4).optional().describe('how the id begins: what people type is short'),
  agent: AgentNameSchema.optional().describe('only of this agent'),
  cursor: z.string().max(1000).optional().describe('`nextCursor` of the page before'),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('how many at most'),
};
