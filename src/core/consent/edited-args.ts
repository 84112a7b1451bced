// The arguments that an approval sends: edited ones take the place of the agent's whole, and nothing is merged into them.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Question } from '../../contract/holds/question.ts';
import { canonicalJson, isObject } from '../base/json.ts';

type Asked = Pick<Question, 'tool' | 'defaults'>;

/** What an approval sends in addition to the call's own arguments, as ADK's payload; null: they alone. */
export function payloadOf({ tool, defaults }: Asked): JsonObject | null {
  const proposed = defaults[editedArgsField];
  return isObject(proposed) && canonicalJson(proposed) !== canonicalJson(tool?.args ?? {}) ? proposed : null;
}

/** What a yes with these values grants: the arguments of the call, and the payload that is sent with them. */
export function argsGranted(asked: Asked, values: JsonObject): { args: JsonObject; payload: JsonObject | null } {
  const { [editedArgsField]: edited } = values;
  const own = asked.tool?.args ?? {};
  const payload = payloadOf(asked);
  if (!isObject(edited)) return { args: own, payload };
  return payload === null ? { args: edited, payload } : { args: own, payload: edited };
}
