// One draft on its way to the server; it outlives the page that sends it.
import { holdApi, isRecord } from '../../base/live/api.ts';
import { loadMe } from '../../base/account/me.ts';
import type { DraftState } from '../pane/work.ts';

/** Answers by which the same draft would be refused again. */
const refusals = new Set([400, 403, 404, 409, 413]);
/** What may outlive a page is counted in bytes, 64 KiB for all of its requests together. */
const outlivingBytes = 60_000;

export async function putDraft(holdId: string, body: string): Promise<DraftState> {
  const isShort = new TextEncoder().encode(body).length < outlivingBytes;
  const response = (isShort ? await put(holdId, body, true) : null) ?? (await put(holdId, body, false));
  if (response === null) return { state: 'failed' };
  if (response.status === 401) void loadMe();
  if (!response.ok) return { state: refusals.has(response.status) ? 'refused' : 'failed' };
  const kept: unknown = await response.json().catch(() => null);
  const at = isRecord(kept) ? kept['savedAt'] : null;
  return { state: 'saved', at: typeof at === 'string' ? at : new Date().toISOString() };
}

/** Null: no answer came, or the browser would not let it outlive the page. */
async function put(holdId: string, body: string, keepalive: boolean): Promise<Response | null> {
  try {
    return await fetch(holdApi(holdId, '/draft'), {
      method: 'PUT',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      credentials: 'same-origin',
      body,
      keepalive,
    });
  } catch {
    return null;
  }
}
