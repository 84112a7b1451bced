// How an agent asks, by its card and the configuration: the extensions to activate, and the dialects it declares.
import type { KeptCard } from '../../contract/tasks/agent-card.ts';

/** kagent's human in the loop, version 1: without it a pause is prose that cannot be answered. */
export const kagentHitl = 'https://kagent.dev/extensions/hitl/v1';

/** ADK's newer executor, which asks all pending calls at once and sends its text once. */
export const adkIntegration = 'https://google.github.io/adk-docs/a2a/a2a-extension/';

const agentStackBase = 'https://a2a-extensions.agentstack.beeai.dev/';

/** Agent Stack (BeeAI): requests and answers are metadata of messages. */
export const agentStack = {
  approval: `${agentStackBase}interactions/approval/v1`,
  toolCall: `${agentStackBase}tools/call/v1`,
  form: `${agentStackBase}ui/form_request/v1`,
  secrets: `${agentStackBase}auth/secrets/v1`,
};

/** All extensions that Standfast supports. */
export const spokenExtensions: readonly string[] = [kagentHitl, adkIntegration, ...Object.values(agentStack)];

/**
 * ADK's own card builder does not list the extension. The first skill it writes has the agent's name, and a
 * description and a tag for the kind of agent.
 */
const adkSkills = new Map([
  ['model', ['llm']],
  ['workflow', ['sequential_workflow', 'parallel_workflow', 'loop_workflow', 'graph_workflow']],
  ['custom', ['custom_agent']],
]);

function isOfAdk({ name, skills }: Pick<KeptCard, 'name' | 'skills'>): boolean {
  const [first] = skills;
  const [tag, ...more] = first?.tags ?? [];
  if (first === undefined || tag === undefined || more.length > 0) return false;
  return name !== '' && first.id === name && adkSkills.get(first.name)?.includes(tag) === true;
}

/**
 * The extensions to activate for an agent with this card. Never for all agents: an unknown extension may make an agent
 * refuse, and a known one changes how it asks.
 */
export function knownExtensions(card: Pick<KeptCard, 'name' | 'skills' | 'capabilities'>): string[] {
  const offered = card.capabilities.extensions.map(({ uri }) => uri);
  const known = spokenExtensions.filter((uri) => offered.includes(uri));
  return isOfAdk(card) ? [...new Set([...known, adkIntegration])] : known;
}

/** Dialects whose extensions tell that an agent uses them. */
export type TelltaleDialect = 'adk' | 'kagent.hitl' | 'agentstack';

/** Dialects that an agent is known to use, in addition to the forms and text that every agent may use. */
export function askedDialects(card: KeptCard | null, activated: readonly string[]): TelltaleDialect[] {
  const uris = [...activated, ...(card === null ? [] : knownExtensions(card))];
  const dialects: TelltaleDialect[] = [];
  if (uris.includes(adkIntegration)) dialects.push('adk');
  if (uris.includes(kagentHitl)) dialects.push('kagent.hitl');
  if (Object.values(agentStack).some((uri) => uris.includes(uri))) dialects.push('agentstack');
  return dialects;
}
