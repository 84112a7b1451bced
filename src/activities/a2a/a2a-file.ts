// A file at an agent: read by the same rules as its answers, from its own origins only, and up to a size limit.
import { type Egress, PolicyError } from '../../host/net/egress.ts';
import { BodyTooLargeError, createGuardedFetch } from '../../host/net/guarded-fetch.ts';
import { errorText } from '../../host/process/errno.ts';

export type ReadFile =
  | { result: 'read'; bytes: Uint8Array }
  | { result: 'too_large' | 'elsewhere' | 'unavailable'; why: string };

export interface FileCall {
  signal: AbortSignal;
  maxBytes: number;
}

/** Reads files at these origins. Never throws because of the agent. */
export function fileReader(
  options: { allowedOrigins: string[]; headers: Record<string, string>; egress: Egress },
  wrap: (send: typeof fetch) => typeof fetch,
): (url: string, call: FileCall) => Promise<ReadFile> {
  return async (url, { signal, maxBytes }) => {
    try {
      const response = await wrap(createGuardedFetch({ ...options, maxBytes }))(url, { signal });
      return { result: 'read', bytes: new Uint8Array(await response.arrayBuffer()) };
    } catch (error) {
      const why = errorText(error);
      if (error instanceof BodyTooLargeError) return { result: 'too_large', why };
      return { result: error instanceof PolicyError ? 'elsewhere' : 'unavailable', why };
    }
  };
}
