// What `standfast doctor` finds of Nexus: whether an endpoint leads workflows to Standfast's workers, and a worker is there.
import type { NexusPlaces } from '../../host/temporal/nexus-endpoint.ts';
import { ownEndpoint } from '../../contract/base/nexus-names.ts';

export interface NexusWanted {
  namespace: string;
  taskQueue: string;
  /** The namespaces and endpoints that `ask.nexus` names. */
  callers: readonly string[];
}

type Endpoint = NexusPlaces['endpoints'][number];
type Place = Pick<NexusWanted, 'namespace' | 'taskQueue'>;

const placeOf = ({ namespace, taskQueue }: Place): string => `${namespace}/${taskQueue}`;

const leadsHere = (wanted: Place, { leadsTo }: Endpoint): boolean =>
  leadsTo?.namespace === wanted.namespace && leadsTo.taskQueue === wanted.taskQueue;

const commandOf = (act: 'create' | 'update', name: string, { namespace, taskQueue }: NexusWanted): string =>
  `temporal operator nexus endpoint ${act} --name ${name} --target-namespace ${namespace} --target-task-queue ${taskQueue}`;

/** An endpoint that is meant to lead here and does not. */
function astray(wanted: NexusWanted, { endpoints }: NexusPlaces): string[] {
  const others = endpoints.filter((one) => !leadsHere(wanted, one));
  const named = others.filter(({ name }) => wanted.callers.includes(name));
  const hasOwn = others.length < endpoints.length;
  const own = hasOwn
    ? []
    : others.filter(({ name }) => name === ownEndpoint && !named.some((one) => one.name === name));
  const wrong = [...named, ...own].map(({ name, leadsTo }) => {
    const where = leadsTo === null ? 'an address outside Temporal' : placeOf(leadsTo);
    return `the endpoint ${name} leads to ${where}, not to ${placeOf(wanted)} — if it is Standfast's: ${commandOf('update', name, wanted)}`;
  });
  if (hasOwn || wrong.length > 0) return wrong;
  return [
    `no endpoint leads to ${placeOf(wanted)}, so no workflow can ask — ${commandOf('create', ownEndpoint, wanted)}`,
  ];
}

/** What is wrong, each with what to do; nothing: workflows can ask. */
export function nexusFaults(wanted: NexusWanted, seen: NexusPlaces): string[] {
  const endpoints = new Set(seen.endpoints.map(({ name }) => name));
  const unknown = wanted.callers.filter((name) => seen.missingNamespaces.includes(name) && !endpoints.has(name));
  return [
    ...astray(wanted, seen),
    ...unknown.map(
      (name) =>
        `ask.nexus names ${name}, which is neither a namespace nor an endpoint of this server — correct the name`,
    ),
    ...(seen.hasWorker
      ? []
      : [
          `no worker polls ${wanted.taskQueue} — start one with this configuration; one that ran before ask.nexus had its first entry has to be restarted`,
        ]),
  ];
}

/** Of what is well. */
export function nexusWords(wanted: NexusWanted, { endpoints }: NexusPlaces): string {
  const here = endpoints.filter((one) => leadsHere(wanted, one));
  const names = here.map(({ name }) => name).join(', ');
  return `${here.length === 1 ? 'the endpoint' : 'the endpoints'} ${names} of ${placeOf(wanted)}, and a worker polls it`;
}
