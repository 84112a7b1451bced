import { isObject, parseJson } from '../../../core/base/json.ts';

/** What an A2A 0.3 server calls an event of its stream in `kind`, and the member in which A2A 1.0 sends it. */
const members = new Map([
  ['task', 'task'],
  ['message', 'message'],
  ['status-update', 'statusUpdate'],
  ['artifact-update', 'artifactUpdate'],
]);

/**
 * A JSON-RPC response of A2A 1.0 whose result names its kind as in 0.3 instead of standing in a member of that name
 * (LangGraph Server 0.16 mixes both in one stream); every other text as it is.
 */
export function withEnvelope(text: string): string {
  if (!text.includes('"kind"')) return text;
  const response = parseJson(text);
  const result = isObject(response) ? response['result'] : undefined;
  if (!isObject(response) || !isObject(result)) return text;
  const member = members.get(String(result['kind']));
  const isWrapped = [...members.values()].some((name) => isObject(result[name]));
  if (member === undefined || isWrapped) return text;
  return JSON.stringify({ ...response, result: { [member]: result } });
}
