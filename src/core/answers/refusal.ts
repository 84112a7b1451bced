// A form that was filled in can still be a no: "Approve: no" among its values is what the record has to say.
import type { Question } from '../../contract/form.ts';
import type { Json, JsonObject } from '../../contract/json.ts';

const decides =
  /^(?:is)?_?(?:approved?|confirm(?:ed)?|accept(?:ed)?|allow(?:ed)?|agreed?|authori[sz]ed?|grant(?:ed)?)$/iu;

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** The label of the field that decides a form and was answered with no; null for every other answer. */
export function refusalTextOf({ kind, schema }: Pick<Question, 'kind' | 'schema'>, values: JsonObject): string | null {
  if (kind !== 'form') return null;
  const properties = objectOf(schema['properties']);
  const name = Object.keys(properties).find(
    (one) => decides.test(one) && objectOf(properties[one])['type'] === 'boolean',
  );
  if (name === undefined || values[name] !== false) return null;
  const title = objectOf(properties[name])['title'];
  return typeof title === 'string' && title.trim() !== '' ? title.slice(0, 80) : name;
}
