// Which interface of an agent's card is called: the first by the card's own order whose binding Standfast speaks.

/** The bindings of A2A (specification, part 3), as cards name them. */
export const spokenBindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
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

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The address of an interface as one of the web. gRPC names `host:port` alone, which leaves open whether it is encrypted:
 * it is where the agent's configured address is, so that credentials never leave in clear that would not otherwise.
 */
export function webAddressOf({ url, protocolBinding }: Omit<AgentInterface, 'protocolVersion'>, base: string): string {
  if (bindingOf(protocolBinding) !== 'GRPC') return url;
  const plain = url.replace(/^dns:\/{0,3}/i, '');
  if (!hasScheme.test(plain)) return `${base.startsWith('https:') ? 'https' : 'http'}://${plain}`;
  return plain.replace(/^grpcs:/i, 'https:').replace(/^grpc:/i, 'http:');
}
