// docs/configuration-keys.md: every key of the configuration, with what its schema says of it. `npm run lists` writes it.
import { describedConfigSchema } from '../src/config/config-json-schema.ts';
import { durationPattern } from '../src/contract/configuration/policy.ts';
import { wrapped, wordOrCode } from './link-lists.mjs';

const intro = `# Configuration keys

Every key of \`standfast.yaml\`, made by \`npm run lists\` from the schema that \`standfast check\` judges by. Editors show
the same sentences, by the file that \`standfast init\` writes.
[Which page has more](operate/run.md#the-configuration-file) on each part.

A duration is written \`500ms\`, \`30s\`, \`15m\`, \`4h\`, \`3d\`, \`2w\` or \`PT4H\`. \`<name>\` is a name of your choice, and \`[]\`
an entry of a list. Any text or number may be \`\${NAME}\`, a variable of the environment.
`;

const lines = (words) => wrapped(words.match(wordOrCode));
const orList = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

const plurals = { text: 'texts', address: 'addresses', mapping: 'mappings', duration: 'durations' };

function numberWords({ type, minimum, maximum, exclusiveMinimum }) {
  const word = type === 'integer' ? 'whole number' : 'number';
  if (exclusiveMinimum !== undefined) return `${word} above ${exclusiveMinimum}`;
  return `${word}, ${minimum} to ${maximum}`;
}

/** What a value is, in words. */
function valueWords(schema) {
  const { type, format, pattern, items, anyOf, oneOf } = schema;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return orList([...new Set(variants.map(valueWords))]);
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return orList(schema.enum.map((value) => `\`${value}\``));
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'integer' || type === 'number') return numberWords(schema);
  if (type === 'array') {
    const word = valueWords(items);
    return `list of ${plurals[word] ?? word}`;
  }
  if (type === 'object') return 'mapping';
  if (format === 'uri') return 'address';
  return pattern === durationPattern.source ? 'duration' : 'text';
}

const variantsOf = (schema) => schema.anyOf ?? schema.oneOf ?? [schema];
const typeOf = (variant) => variant.properties?.type?.const;
const isTyped = (schema) => schema.oneOf !== undefined && schema.oneOf.every((one) => typeOf(one) !== undefined);

const lineOf = (path, schema, isNeeded) =>
  lines(`- \`${path}\` (${valueWords(schema)}${isNeeded ? '; needed' : ''}): ${schema.description}`);

/** The lines of what lies within a value: of its keys, of the entries of its list, of the values under its names. */
function inner(path, schema) {
  if (isTyped(schema)) return typed(path, schema.oneOf);
  return variantsOf(schema).flatMap(({ properties = {}, required = [], additionalProperties, items }) => [
    ...Object.entries(properties).flatMap(([key, value]) => [
      lineOf(`${path}.${key}`, value, required.includes(key)),
      ...inner(`${path}.${key}`, value),
    ]),
    ...(typeof additionalProperties === 'object' ? inner(`${path}.<name>`, additionalProperties) : []),
    ...(items === undefined ? [] : inner(`${path}[]`, items)),
  ]);
}

/** Of values that a `type` distinguishes: first the keys that all have, then those of each. */
function typed(path, variants) {
  const [first, ...others] = variants;
  const isShared = ([key, value]) =>
    others.every(({ properties }) => JSON.stringify(properties[key]) === JSON.stringify(value));
  const shared = Object.fromEntries(Object.entries(first.properties).filter(isShared));
  const types = lines(
    `- \`${path}.type\` (${orList(variants.map((one) => `\`${typeOf(one)}\``))}; needed): Which kind it is.`,
  );
  const each = variants.map((variant) => {
    const { type, ...rest } = variant.properties;
    const own = Object.fromEntries(Object.entries(rest).filter(([key]) => !(key in shared)));
    return `\n### \`type: ${type.const}\`\n\n${type.description}\n\n${inner(path, { ...variant, properties: own }).join('\n')}`;
  });
  return [types, ...inner(path, { properties: shared }), ...each];
}

const section = ([key, schema]) => {
  const keys = inner(key, schema);
  return `\n## ${key}\n\n${lines(`${schema.description}`)}\n${keys.length === 0 ? '' : `\n${keys.join('\n')}\n`}`;
};

/** The page as it should be. */
export const configKeysPage = () => intro + Object.entries(describedConfigSchema().properties).map(section).join('');
