// Who asks over Nexus, and whether they may: Temporal names the caller's workflow in a link, and the configuration says which
// endpoints or namespaces may ask at all.
import type { Link } from 'nexus-rpc';
import type { Config } from '../../contract/configuration/config.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';

/** A workflow of somebody else's. */
export interface NexusCaller {
  namespace: string;
  workflowId: string;
}

const linkType = 'temporal.api.common.v1.Link.WorkflowEvent';
const linkPath = /^\/namespaces\/([^/]+)\/workflows\/([^/]+)\//;

/** The workflow that Temporal names; throws `input_invalid` where none calls. */
export function callerOf(links: readonly Link[]): NexusCaller {
  for (const { type, url } of links) {
    const [, namespace, workflowId] = (type === linkType && linkPath.exec(url.pathname)) || [];
    if (namespace === undefined || workflowId === undefined) continue;
    return { namespace: decodeURIComponent(namespace), workflowId: decodeURIComponent(workflowId) };
  }
  throw new StandfastError('input_invalid', 'no workflow is named that asks: call this operation from a workflow');
}

const prefix = 'workflow:';

/** A program that asks and never decides; no user has a name of this shape. */
export const principalOf = ({ namespace, workflowId }: NexusCaller): Principal => ({
  id: `${prefix}${namespace}/${workflowId}`,
  roles: [],
  isSuper: false,
  kind: 'agent',
});

/** The namespace of such a name; null for any other. */
export function namespaceIn(owner: string): string | null {
  if (!owner.startsWith(prefix)) return null;
  return owner.slice(prefix.length, owner.indexOf('/'));
}

export interface NexusPlace {
  /** As the server names it; '' where it is too old for that. */
  endpoint: string;
  namespace: string;
}

type Asks = NonNullable<Config['ask']['nexus']>;

/** The policies that it may name, as those of any program's question; throws `forbidden` where it may ask nothing. */
export function rulesOf(
  { ask }: Pick<Config, 'ask'>,
  own: Asks,
  { endpoint, namespace }: NexusPlace,
): Pick<Config['ask'], 'policy' | 'policies'> {
  const { nexus = own, policy, policies } = ask;
  const name = [endpoint, namespace].find((one) => one !== '' && Object.hasOwn(nexus, one));
  const rules = name === undefined ? undefined : nexus[name];
  if (rules === undefined) {
    const of = endpoint === '' ? '' : ` and no endpoint ${endpoint}`;
    throw new StandfastError('forbidden', `ask.nexus of the configuration names no namespace ${namespace}${of}`);
  }
  const chosen = { policy: rules.policy ?? policy, policies: rules.policies ?? policies };
  return {
    ...(chosen.policy === undefined ? {} : { policy: chosen.policy }),
    ...(chosen.policies === undefined ? {} : { policies: chosen.policies }),
  };
}
