import { z } from 'zod';

// What is kept of an agent's card. An agent writes it, so whatever is not as expected counts as missing, and all is cut.

const text = (maxLength: number): z.ZodType<string> =>
  z
    .string()
    .catch('')
    .transform((message) => message.slice(0, maxLength));
const flag = z.boolean().catch(false);

function list<T>(item: z.ZodType<T>, maxItems: number): z.ZodType<T[]> {
  return z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.slice(0, maxItems).flatMap((one) => {
        const read = item.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );
}

const modes = list(z.string().min(1).max(100), 20);

const SkillSchema = z.object({
  id: text(100),
  name: text(200),
  description: text(500),
  tags: list(z.string().max(50), 10),
  /** What one might ask it, in the agent's own words. */
  examples: list(z.string().min(1).max(500), 10),
  inputModes: modes,
  outputModes: modes,
});

const uri = z.string().min(1).max(300);
/** Some agents name an extension by its URI alone. */
const ExtensionSchema = z.union([
  z.object({ uri, required: flag }),
  uri.transform((bare) => ({ uri: bare, required: false })),
]);

const CapabilitiesSchema = z.object({
  streaming: flag,
  pushNotifications: flag,
  extendedAgentCard: flag,
  extensions: list(ExtensionSchema, 50),
});

/** The card of A2A 1.0, as far as it is kept; older cards are brought into this form before. */
export const KeptCardSchema = z.object({
  name: text(200),
  description: text(2000),
  version: text(100),
  documentationUrl: text(1000),
  provider: z.object({ organization: text(200) }).catch({ organization: '' }),
  supportedInterfaces: list(z.object({ protocolBinding: text(50), protocolVersion: text(20) }), 20),
  capabilities: CapabilitiesSchema.catch(CapabilitiesSchema.parse({})),
  defaultInputModes: modes,
  defaultOutputModes: modes,
  skills: list(SkillSchema, 50),
});
export type KeptCard = z.infer<typeof KeptCardSchema>;
