/** kagent's human in the loop, version 1: without it a pause is prose that cannot be answered. */
export const kagentHitl = 'https://kagent.dev/extensions/hitl/v1';

/** ADK's executor that repeats neither calls nor interim responses beside the pause. */
const adkIntegration = 'https://google.github.io/adk-docs/a2a/a2a-extension/';

/** All that we can do something with. */
export const spokenExtensions: readonly string[] = [kagentHitl, adkIntegration];

/**
 * The extensions to activate for an agent whose card lists these URIs. Per request and never for all agents: what an
 * agent does not know may make it refuse, and what it knows changes how it asks.
 */
export function knownExtensions(uris: readonly string[]): string[] {
  return spokenExtensions.filter((uri) => uris.includes(uri));
}
