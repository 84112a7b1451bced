// Which interface of an agent's card is called: the first by the card's own order whose binding Holdpoint speaks.

/** The bindings of A2A (specification, part 3), as cards name them. */
export const spokenBindings = ['JSONRPC', 'HTTP+JSON'] as const;
export type Binding = (typeof spokenBindings)[number];

export interface AgentInterface {
  url: string;
  protocolBinding: string;
  protocolVersion: string;
}

/** The binding by its name, whose case does not matter to the SDKs; null for one that is not spoken here. */
export const bindingOf = (name: string): Binding | null =>
  spokenBindings.find((binding) => binding === name.toUpperCase()) ?? null;

/**
 * The interface to call, or null where none is spoken. A card may list both versions of a binding; the newer is called, as
 * the SDK's own clients do.
 */
export function chosenInterface<T extends Pick<AgentInterface, 'protocolBinding' | 'protocolVersion'>>(
  interfaces: readonly T[],
): T | null {
  const first = interfaces.find(({ protocolBinding }) => bindingOf(protocolBinding) !== null);
  if (first === undefined) return null;
  const same = interfaces.filter((one) => bindingOf(one.protocolBinding) === bindingOf(first.protocolBinding));
  return same.find(({ protocolVersion }) => protocolVersion === '1.0') ?? first;
}
