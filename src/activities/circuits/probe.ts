// Whether an agent's server answers where messages go: what it says is of no matter.
import { answersAProbe, causeOf } from '../../core/turn/circuit.ts';
import type { ActivityDeps } from '../deps.ts';

export async function probe(
  transport: Pick<ReturnType<ActivityDeps['transportOf']>, 'ping' | 'classify'>,
  signal: AbortSignal,
): Promise<{ isThere: boolean; cause: string }> {
  try {
    await transport.ping({ signal });
    return { isThere: true, cause: '' };
  } catch (error) {
    const known = transport.classify(error, signal);
    return { isThere: answersAProbe(known), cause: causeOf(known) };
  }
}
