// Reads an agent's records; an invalid record is reported as the agent's fault.
import {
  engramLimits,
  EngramRecordSchema,
  type EngramAgent,
  type EngramFilter,
  type EngramRecord,
} from '../../contract/views/engram.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { checkKey, EngramFault } from '../../wire/agui/engram/mirror.ts';

/** Whom a run asks, and within which of the agent's contexts. */
export interface EngramSource {
  agent: EngramAgent;
  filter: EngramFilter;
  contextId: string | null;
}

const pageSize = 200;

export const inContext = ({ contextId }: Pick<EngramSource, 'contextId'>): JsonObject =>
  contextId === null ? {} : { contextId };

const filterOf = ({ filter: { key, keyPrefix = '' } }: EngramSource): JsonObject => ({ keyPrefix: key ?? keyPrefix });

export function recordOf(given: Json | undefined): EngramRecord {
  const read = EngramRecordSchema.safeParse(given);
  if (!read.success) throw new EngramFault('the agent sent a record that is none');
  checkKey(read.data.key.key);
  return read.data;
}

const isWanted =
  ({ filter }: EngramSource) =>
  ({ key: { key } }: EngramRecord): boolean =>
    (filter.key === undefined || key === filter.key) && key.startsWith(filter.keyPrefix ?? '');

/** All records that the filter names, page after page. */
export async function listRecords(source: EngramSource, signal: AbortSignal): Promise<EngramRecord[]> {
  const records: EngramRecord[] = [];
  let pageToken: Json = null;
  for (let page = 0; page < engramLimits.pages; page += 1) {
    const token: JsonObject = pageToken === null ? {} : { pageToken };
    const params = { filter: filterOf(source), pageSize, ...token, ...inContext(source) };
    const { records: found, nextPageToken = null } = await source.agent.call('engram/list', params, signal);
    if (!Array.isArray(found)) throw new EngramFault('the agent answered engram/list without records');
    records.push(...found.map(recordOf).filter(isWanted(source)));
    if (records.length > engramLimits.records) break;
    if (nextPageToken === null || nextPageToken === '') return records;
    pageToken = nextPageToken;
  }
  throw new EngramFault(`the agent has more than ${engramLimits.records} records`);
}

/** One record as it is now; null: there is none. */
export async function getRecord(source: EngramSource, key: string, signal: AbortSignal): Promise<EngramRecord | null> {
  const { records } = await source.agent.call('engram/get', { key: { key }, ...inContext(source) }, signal);
  if (!Array.isArray(records)) throw new EngramFault('the agent answered engram/get without records');
  return records.map(recordOf).find((record) => record.key.key === key) ?? null;
}
