// What an agent behind Standfast can do, in the shape of AG-UI's AgentCapabilities. What is missing is undeclared, not
// false: no worker has read the agent's card yet, so only what Standfast itself does is declared.
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import { KeptCardSchema, type KeptCard } from '../../contract/tasks/agent-card.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { askedDialects } from '../../core/questions/agent-dialects.ts';
import type { CardRow } from '../../store/ports/agent-facts.ts';

interface KnownAgent {
  name: string;
  title: string;
  description: string;
  card: KeptCard | null;
  cardSeenAt: string | null;
  /** Extensions that the configuration activates, whatever the card says. */
  activated: readonly string[];
}

export function knownAgent(name: string, config: AgentConfig, row: CardRow | null): KnownAgent {
  const card = row === null ? null : KeptCardSchema.parse(row.card);
  const title = config.title ?? (card === null || card.name === '' ? name : card.name);
  return {
    name,
    title,
    description: card?.description ?? '',
    card,
    cardSeenAt: row?.seenAt ?? null,
    activated: config.extensions,
  };
}

const declared = (entries: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== ''));

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

function identityOf({ name, title, card }: KnownAgent): JsonObject {
  const metadata = { agent: name };
  if (card === null) return { name: title, type: 'a2a', metadata };
  const { description, version, documentationUrl, provider } = card;
  const links = isWebAddress(documentationUrl) ? { documentationUrl } : {};
  return declared({
    name: title,
    type: 'a2a',
    description,
    version,
    provider: provider.organization,
    ...links,
    metadata,
  });
}

/** The agent's modes with those of its skills, each once. */
function modesOf(card: KeptCard, which: 'inputModes' | 'outputModes'): string[] {
  const own = which === 'inputModes' ? card.defaultInputModes : card.defaultOutputModes;
  const modes = [...own, ...card.skills.flatMap((skill) => skill[which])].map((mode) => mode.toLowerCase());
  return [...new Set(modes)];
}

/** Whether any mode covers one of this kind: `image` by `image/png`, `image/*` and `*`/`*`. */
const takes = (modes: string[], kind: string): boolean =>
  modes.some((mode) => mode === '*/*' || mode === '*' || mode === kind || mode.startsWith(`${kind}/`));

const isFile = (mode: string): boolean => !/^(text|image|audio|video)(\/|$)/.test(mode) && mode !== 'application/json';

function multimodalOf(card: KeptCard): JsonObject {
  const input = modesOf(card, 'inputModes');
  const output = modesOf(card, 'outputModes');
  return {
    input: {
      image: takes(input, 'image'),
      audio: takes(input, 'audio'),
      video: takes(input, 'video'),
      pdf: takes(input, 'application/pdf') || input.includes('application/*'),
      file: input.some(isFile),
    },
    output: { image: takes(output, 'image'), audio: takes(output, 'audio') },
  };
}

function humanInTheLoopOf({ card, activated }: KnownAgent): JsonObject {
  // Every agent may ask by text or form, also about a call of its own, and people may send messages to a working task.
  const always = { supported: true, interrupts: true, interventions: true, approvals: true };
  // kagent and Agent Stack take a yes or a no; arguments are changed by forms, LangChain's reviews and ADK's payloads.
  const dialects = askedDialects(card, activated);
  const isYesNoAlone = dialects.length > 0 && dialects.every((dialect) => dialect !== 'adk');
  return isYesNoAlone ? always : { ...always, approveWithEdits: true };
}

function cardSummary(card: KeptCard): JsonObject {
  const { capabilities, supportedInterfaces, skills } = card;
  return {
    protocolVersions: [...new Set(supportedInterfaces.map((one) => one.protocolVersion).filter((one) => one !== ''))],
    bindings: [...new Set(supportedInterfaces.map((one) => one.protocolBinding).filter((one) => one !== ''))],
    extendedAgentCard: capabilities.extendedAgentCard,
    extensions: capabilities.extensions.map(({ uri, required }) => ({ uri, required })),
    inputModes: modesOf(card, 'inputModes'),
    outputModes: modesOf(card, 'outputModes'),
    skills: skills.map(({ id, name, description, tags }) => ({ id, name, description, tags })),
  };
}

export function capabilitiesOf(agent: KnownAgent): JsonObject {
  const { name, card, cardSeenAt } = agent;
  const standfast = { cardSeenAt, resumableEvents: `/agents/${name}/threads/{threadId}/events` };
  const common: JsonObject = {
    identity: identityOf(agent),
    // Tools of a front end cannot be carried over A2A.
    tools: { clientProvided: false },
    state: { snapshots: true, deltas: true, persistentState: true },
    humanInTheLoop: humanInTheLoopOf(agent),
  };
  // Resuming has an address of its own: the streams of AG-UI cannot be resumed.
  const transport = { websocket: false, httpBinary: true, resumable: false };
  if (card === null) return { ...common, transport, custom: { standfast } };
  const { streaming, pushNotifications } = card.capabilities;
  const outputModes = modesOf(card, 'outputModes');
  return {
    ...common,
    transport: { ...transport, streaming, pushNotifications },
    output: { structuredOutput: takes(outputModes, 'application/json'), supportedMimeTypes: outputModes },
    multimodal: multimodalOf(card),
    custom: { standfast, a2a: cardSummary(card) },
  };
}
