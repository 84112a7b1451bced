// Which field of a form decides, and which of its values are a yes and a no: by its name, its type and the words it offers.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../base/json.ts';

export type Word = boolean | string;

/** Null: the field takes no value that says so. */
export interface Words {
  yes: Word | null;
  no: Word | null;
}

/** Names of fields that decide, the surest first; others of their kind come after them, in the form's order. */
const surest = ['approved', 'approve', 'confirmed', 'confirm', 'decision'];
const deciding =
  /^(?:is[_-]?)?(?:approv(?:e|ed|al)|confirm(?:ed|ation)?|accept(?:ed|ance)?|allow(?:ed)?|agree(?:d|ment)?|authori[sz](?:e|ed|ation)|permit(?:ted)?|permission|grant(?:ed)?|proceed|consent|decision|verdict)$/iu;
/** A field that says no by being ticked: which of its values is a yes is anybody's guess, so neither is. */
const refusing =
  /^(?:is[_-]?)?(?:no|reject(?:ed|ion)?|den(?:y|ied|ial)|declin(?:e|ed)|refus(?:e|ed|al)|disapprov(?:e|ed)|disallow(?:ed)?|forbid(?:den)?|block(?:ed)?|veto(?:ed)?|cancel(?:l?ed)?|abort(?:ed)?|stop(?:ped)?)$/iu;

const listOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const yesWords = listOf(
  'yes y true ok okay approve approved accept accepted allow allowed confirm confirmed agree agreed authorize authorized authorise authorised permit permitted grant granted proceed',
);
const noWords = listOf(
  'no n false reject rejected deny denied decline declined refuse refused disapprove disapproved disagree disallow disallowed forbid forbidden block blocked veto',
);

/** What one word says; null for any other, and for more than one. */
export function wordVerdict(value: Json | undefined): 'yes' | 'no' | null {
  if (typeof value !== 'string') return null;
  const term = value.trim().toLowerCase();
  return noWords.has(term) ? 'no' : yesWords.has(term) ? 'yes' : null;
}

/** Of these names those of fields that decide, the surest first. */
export function recognisedNames(names: readonly string[]): string[] {
  const found = names.filter((name) => deciding.test(name));
  const first = surest.filter((name) => found.includes(name));
  return [...first, ...found.filter((name) => !first.includes(name))];
}

/** Words in names of what answers a question, whether or not they say yes. */
const answering = listOf(
  'action actions answer answers approvals choice choices command continue decisions hitl outcome resume response responses result results review reviews selection vote votes',
);

const wordsIn = (name: string): string[] =>
  name.split(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z]+/u).map((word) => word.toLowerCase());

/** Whether some agent may read a member of this name and value as an answer: one that is neither a text nor a number, or speaks of one. */
export function mayBeAnswer(name: string, value: Json): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return true;
  const isOfAnswer = (word: string): boolean =>
    deciding.test(word) || refusing.test(word) || answering.has(word) || word.startsWith('interrupt');
  return wordVerdict(value) !== null || wordsIn(name).some(isOfAnswer);
}

const maxReferences = 4;
const isNull = (member: Json): boolean => objectOf(member)['type'] === 'null';
const alternativesOf = ({ anyOf, oneOf }: JsonObject): Json[] =>
  (Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : []).filter((member) => !isNull(member));

/** The property itself, behind references and around a null, as generators write it. */
function resolved(property: Json, root: JsonObject, depth = 0): JsonObject {
  const own = objectOf(property);
  const { $ref: reference, allOf } = own;
  if (depth >= maxReferences) return own;
  if (typeof reference === 'string') {
    const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/u.exec(reference) ?? [];
    const definitions = objectOf(root[place]);
    return Object.hasOwn(definitions, name) ? resolved(definitions[name] ?? null, root, depth + 1) : {};
  }
  const alone = Array.isArray(allOf) && allOf.length === 1 ? allOf : alternativesOf(own);
  const [only, ...more] = alone;
  if (only === undefined || more.length > 0 || own['type'] !== undefined) return own;
  return resolved(only, root, depth + 1);
}

function isBoolean({ type }: JsonObject): boolean {
  if (!Array.isArray(type)) return type === 'boolean';
  return type.includes('boolean') && type.every((one) => one === 'boolean' || one === 'null');
}

/** Each value that the property may have, where it names all of them and they are words. */
export function wordsOf(property: Json, root: JsonObject): Word[] {
  const own = resolved(property, root);
  const { enum: named, const: constant } = own;
  const alternatives = alternativesOf(own);
  const values = Array.isArray(named)
    ? named.filter((one) => one !== null)
    : alternatives.length > 0
      ? alternatives.flatMap((one) => constantsOf(resolved(one, root)))
      : isBoolean(own)
        ? [true, false]
        : [];
  const words = values.filter((one): one is Word => typeof one === 'boolean' || typeof one === 'string');
  if (words.length !== values.length) return [];
  return constant === undefined ? words : words.filter((one) => one === constant);
}

/** A member that names no value stands for all: `[null]` is no word. */
function constantsOf({ const: constant, enum: named }: JsonObject): Json[] {
  if (constant !== undefined) return [constant];
  return Array.isArray(named) ? named : [null];
}

/** Words like these do not tell what is decided: a form may ask them of anything. */
const plainWords = listOf('yes y true ok okay no n false');

/** Whether the property offers an approval and a refusal by name, whatever it is called itself. */
export function offersDecision(field: string, property: Json, root: JsonObject): boolean {
  const words = yesAndNo(field, property, root);
  return [words?.yes, words?.no].every((one) => typeof one === 'string' && !plainWords.has(one.trim().toLowerCase()));
}

/** The values of a property that are a yes and a no; null where it cannot be read. */
export function yesAndNo(field: string, property: Json, root: JsonObject): Words | null {
  const words = wordsOf(property, root);
  if (words.length === 0 || refusing.test(field)) return null;
  if (words.every((one) => typeof one === 'boolean'))
    return { yes: words.includes(true) ? true : null, no: words.includes(false) ? false : null };
  const [yes, ...moreYes] = words.filter((one) => wordVerdict(one) === 'yes');
  const [no, ...moreNo] = words.filter((one) => wordVerdict(one) === 'no');
  return yes === undefined || no === undefined || moreYes.length + moreNo.length > 0 ? null : { yes, no };
}

/** The one field of a schema, when it is a yes or no; null when more, or anything else, is asked. */
export function onlyYesNoField(schema: JsonObject): string | null {
  const properties = objectOf(schema['properties']);
  const [only, ...more] = Object.keys(properties);
  if (only === undefined || more.length > 0) return null;
  const isBoth = wordsOf(properties[only] ?? null, schema).every((one) => typeof one === 'boolean');
  return isBoth && yesAndNo(only, properties[only] ?? null, schema) !== null ? only : null;
}
