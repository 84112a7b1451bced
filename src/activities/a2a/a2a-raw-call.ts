// Methods of extensions: the A2A client has no call for them, so they are posted as JSON-RPC by the same guarded fetch.
import { randomUUID } from 'node:crypto';
import { A2A_VERSION_HEADER, type AgentCard } from '@a2a-js/sdk';
import type { JsonObject } from '../../contract/base/json.ts';
import { CardError } from './a2a-errors.ts';

export interface RawCall {
  method: string;
  params: JsonObject;
  /** Activated for this call. */
  extensions: readonly string[];
}

/** The answer as it came: a result, or the agent's own error. */
export async function callMethod(
  card: AgentCard,
  guardedFetch: typeof fetch,
  { method, params, extensions }: RawCall,
  call: { signal: AbortSignal; onResponse?: () => void },
): Promise<unknown> {
  const endpoint = card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === 'JSONRPC');
  if (endpoint === undefined) throw new CardError('the agent card names no JSON-RPC interface, which this call needs');
  const isOld = endpoint.protocolVersion.startsWith('0.');
  const response = await guardedFetch(endpoint.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      [A2A_VERSION_HEADER]: endpoint.protocolVersion,
      [isOld ? 'X-A2A-Extensions' : 'A2A-Extensions']: extensions.join(', '),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params }),
    signal: call.signal,
  });
  call.onResponse?.();
  const answer: unknown = await response.json();
  return answer;
}
