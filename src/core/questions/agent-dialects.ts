// Which ways of asking an agent has, by its card and the configuration: what is activated for it, and what is told of it.
import type { KeptCard } from '../../contract/agent-card.ts';

/** kagent's human in the loop, version 1: without it a pause is prose that cannot be answered. */
export const kagentHitl = 'https://kagent.dev/extensions/hitl/v1';

/** ADK's executor that asks for all that waits at once, and says its words once. */
export const adkIntegration = 'https://google.github.io/adk-docs/a2a/a2a-extension/';

/** All extensions that we can do something with. */
export const spokenExtensions: readonly string[] = [kagentHitl, adkIntegration];

/**
 * ADK's own card builder tells nobody of its extension. What it writes first is a skill under the agent's own name, with a
 * word and a tag for the kind of agent.
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
 * The extensions to activate for an agent with this card. Per request and never for all agents: what an agent does not know
 * may make it refuse, and what it knows changes how it asks.
 */
export function knownExtensions(card: Pick<KeptCard, 'name' | 'skills' | 'capabilities'>): string[] {
  const offered = card.capabilities.extensions.map(({ uri }) => uri);
  const known = spokenExtensions.filter((uri) => offered.includes(uri));
  return isOfAdk(card) ? [...new Set([...known, adkIntegration])] : known;
}

/** Dialects that an agent is known to ask in, besides the forms and words that every agent may use. */
export function askedDialects(card: KeptCard | null, activated: readonly string[]): ('adk' | 'kagent.hitl')[] {
  const uris = [...activated, ...(card === null ? [] : knownExtensions(card))];
  const dialects: ('adk' | 'kagent.hitl')[] = [];
  if (uris.includes(adkIntegration)) dialects.push('adk');
  if (uris.includes(kagentHitl)) dialects.push('kagent.hitl');
  return dialects;
}
