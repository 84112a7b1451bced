// What every documented route says of itself, and the app that reads it.
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** An app whose handlers get what the zod schemas of their routes say. */
export type ApiApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

type Access = NonNullable<FastifyContextConfig['access']>;
type Tag = 'agents' | 'holds' | 'operation' | 'session' | 'tasks';

/** Who may call a route, under which heading the document has it, and what comes and goes. */
export function route<const S extends FastifySchema & { summary: string }>(
  access: Access,
  tag: Tag,
  schema: S,
): { config: { access: Access }; schema: S & { tags: [Tag] } } {
  return { config: { access }, schema: { ...schema, tags: [tag] } };
}
