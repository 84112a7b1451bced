import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { searchAttributes, type SearchAttributeName, type SearchAttributeType } from './search-attributes.ts';
import { startFailure } from './start-failure.ts';
import { withConnection, type TemporalTarget } from './temporal-connection.ts';
import { sleep } from '../process/sleep.ts';
import { grpc, grpcCodeOf } from './grpc-codes.ts';

/** Numbers of IndexedValueType; the package that names them has no exports that a compiled ES module can import. */
const valueTypes: Record<SearchAttributeType, number> = { Keyword: 2, Int: 3, Datetime: 6, KeywordList: 7 };

interface PrepareNamespaceOptions {
  /** Set on our own embedded server only: how long closed histories are kept. */
  retentionDays?: number;
  withinMs?: number;
  /** Called once, when the namespace is not ready after two seconds: a connection that does not come up is silent. */
  onWait?(): void;
}

const noteMs = 2_000;

/** The namespace cannot be used as it is; the message says what its administrator has to do. */
class NamespaceNotReadyError extends Error {
  override name = 'NamespaceNotReadyError';
}

type Listed = ReadonlyMap<string, number>;

/** These say "not here, not you", not "try again". */
const refusals: Record<number, string> = {
  [grpc.permissionDenied]: 'permission denied',
  [grpc.unimplemented]: 'not offered by this server',
  [grpc.unauthenticated]: 'not authenticated',
};

/** Whether the server, or a proxy before it, does not offer this call to us. */
const isRefusal = (error: unknown): boolean => refusals[grpcCodeOf(error)] !== undefined;

export async function listAttributes(connection: Connection, namespace: string): Promise<Listed> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return new Map(Object.entries(customAttributes ?? {}));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return listByQuery(connection, namespace);
  }
}

/** Without the operator service: a query that names an unknown attribute is refused; types cannot be seen. */
async function listByQuery({ workflowService }: Connection, namespace: string): Promise<Listed> {
  const known = await Promise.all(
    names.map(async (name) => {
      try {
        await workflowService.countWorkflowExecutions({ namespace, query: `${name} IS NOT NULL` });
        return [[name, valueTypes[searchAttributes[name]]] as const];
      } catch (error) {
        if (grpcCodeOf(error) === grpc.invalidArgument) return [];
        throw error;
      }
    }),
  );
  return new Map(known.flat());
}

const isName = (name: string): name is SearchAttributeName => Object.hasOwn(searchAttributes, name);
const names = Object.keys(searchAttributes).filter(isName);
const missingIn = (listed: Listed): SearchAttributeName[] => names.filter((name) => !listed.has(name));

function refuseWrongTypes(listed: Listed, namespace: string): void {
  const wrong = names.filter((name) => listed.has(name) && listed.get(name) !== valueTypes[searchAttributes[name]]);
  if (wrong.length === 0) return;
  const wanted = wrong.map((name) => `${name} (expected ${searchAttributes[name]})`).join(', ');
  throw new NamespaceNotReadyError(`search attributes of the namespace ${namespace} have another type: ${wanted}`);
}

function howToRegister(missing: readonly SearchAttributeName[], namespace: string, why: string): string {
  const lines = missing.map(
    (name) =>
      `  temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${searchAttributes[name]}`,
  );
  return [
    `the namespace ${namespace} lacks search attributes, and registering them was refused (${why}).`,
    'Ask its administrator to create them (on Temporal Cloud: in its web pages or with tcld), then start again:',
    ...lines,
  ].join('\n');
}

async function register(
  connection: Connection,
  missing: readonly SearchAttributeName[],
  namespace: string,
): Promise<void> {
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, valueTypes[searchAttributes[name]]])),
    });
  } catch (error) {
    const code = grpcCodeOf(error);
    // 6: another process was faster; the list that is read next tells.
    if (code === 6) return;
    const why = refusals[code];
    if (why === undefined) throw error;
    throw new NamespaceNotReadyError(howToRegister(missing, namespace, why), { cause: error });
  }
}

/**
 * Makes a namespace fit for our workflows: all search attributes registered and taken (an unregistered one makes a
 * workflow hang, so workers poll only after this), and the retention where Standfast may set it. May be called again.
 */
export async function prepareNamespace(
  target: TemporalTarget,
  { retentionDays, withinMs = 15_000, onWait }: PrepareNamespaceOptions = {},
): Promise<void> {
  const { namespace } = target;
  const until = performance.now() + withinMs;
  const prepared = withConnection(target, withinMs, async (connection) => {
    // First, since a missing namespace is the likeliest fault and this call is the one that every server offers.
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    const listed = await listAttributes(connection, namespace);
    refuseWrongTypes(listed, namespace);
    if (missingIn(listed).length > 0) {
      await register(connection, missingIn(listed), namespace);
      for (;;) {
        // A server lists them before it takes them: it refuses starts with them until it has read its namespaces again.
        const missing = missingIn(await listByQuery(connection, namespace));
        if (missing.length === 0) break;
        if (performance.now() >= until) {
          throw new NamespaceNotReadyError(`search attributes are registered but not taken yet: ${missing.join(', ')}`);
        }
        await sleep(100);
      }
    }
    if (retentionDays === undefined) return;
    const wanted = msToTs(retentionDays * 86_400_000);
    if (Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) === Number(wanted.seconds)) return;
    await connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: wanted } });
  });
  const note = setTimeout(() => onWait?.(), noteMs);
  await prepared
    .catch(async (error: unknown) => {
      throw await startFailure(error, target);
    })
    .finally(() => clearTimeout(note));
}
