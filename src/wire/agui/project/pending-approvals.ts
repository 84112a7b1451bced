// Calls that a framework reports as its result because they wait for an approval which it cannot be given over A2A:
// pydantic-ai behind fasta2a, `{result: {calls: [], approvals: [{part_kind, tool_name, args}]}}`. As a result alone that reads
// like a success.
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { isObject } from '../../../core/base/json.ts';
import { cutText } from '../model/text.ts';

const maxCalls = 50;
const maxArgsChars = 500;

/** The sentence that tells of them; null: there are none in these artifacts' values. */
export function pendingApprovalsText(artifacts: JsonObject): string | null {
  const calls = Object.values(artifacts)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .flatMap(approvalsIn);
  if (calls.length === 0) return null;
  const more = calls.length > maxCalls ? [`- and ${calls.length - maxCalls} more`] : [];
  return [
    'The agent ended with calls that wait for approval. Its framework takes no approval over A2A, so they were not executed:',
    '',
    ...calls.slice(0, maxCalls).map(({ name, args }) => `- ${name} ${args}`.trimEnd()),
    ...more,
  ].join('\n');
}

function approvalsIn(value: Json): { name: string; args: string }[] {
  const result = isObject(value) ? value['result'] : undefined;
  if (!isObject(result) || !Array.isArray(result['calls']) || !Array.isArray(result['approvals'])) return [];
  return result['approvals'].filter(isObject).flatMap((call) => {
    const { part_kind: kind, tool_name: name, args = null } = call;
    if (kind !== 'tool-call' || typeof name !== 'string' || name === '') return [];
    const text = args === null ? '' : typeof args === 'string' ? args : JSON.stringify(args);
    const isCut = text.length > maxArgsChars;
    return [{ name: cutText(name, 100), args: `${cutText(text, maxArgsChars)}${isCut ? '…' : ''}` }];
  });
}
