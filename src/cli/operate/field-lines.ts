// A question's form as lines: what `--values` may hold.
import type { HoldView } from '../../contract/hold.ts';
import type { JsonObject } from '../../contract/json.ts';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function describeType(field: JsonObject): string {
  const { type, oneOf, enum: values, items } = field;
  const choices = Array.isArray(values)
    ? values
    : Array.isArray(oneOf) && oneOf.length > 0 && oneOf.every((one) => isObject(one) && 'const' in one)
      ? oneOf.map((one) => (isObject(one) ? (one['const'] ?? null) : null))
      : null;
  if (choices !== null) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (type === 'array' && isObject(items)) return `list of ${describeType(items)}`;
  return typeof type === 'string' ? type : 'any';
}

/** One line a field: name, type or choices, whether it is needed, its label, and what is proposed. */
export function fieldLines({
  schema,
  defaults,
  errors,
  secretPaths,
}: Pick<HoldView, 'schema' | 'defaults' | 'errors' | 'secretPaths'>): string[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, field]) => {
    const about = isObject(field) ? field : {};
    const label = typeof about['title'] === 'string' && about['title'] !== name ? `: ${about['title']}` : '';
    const proposed = defaults[name] === undefined ? '' : ` [${JSON.stringify(defaults[name])}]`;
    const error = errors[name] === undefined ? '' : ` (the agent says: ${errors[name]})`;
    const secret = secretPaths.includes(`/${name}`) ? ', secret' : '';
    return `${name} (${describeType(about)}${required.includes(name) ? ', needed' : ''}${secret})${label}${proposed}${error}`;
  });
}
