import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { isObject } from '../../../../core/base/json.ts';

/** True when the property's schema marks it as secret (`writeOnly` or format `password`). */
export function isSecretProperty(property: Json | undefined): boolean {
  return isObject(property) && (property['format'] === 'password' || property['writeOnly'] === true);
}

/**
 * Names of the top-level fields that are secret or contain a secret. Linear in the untrusted schema: a `$ref` is not
 * followed, but counts as secret when the schema has a secret anywhere.
 */
export function secretsOf(schema: JsonObject): string[] {
  if (!some(schema, isSecretProperty)) return [];
  const isSecret = (part: JsonObject): boolean => isSecretProperty(part) || '$ref' in part;
  const names = new Set<string>();
  for (const part of partsOf(schema)) {
    const properties = part['properties'];
    if (!isObject(properties)) continue;
    for (const [name, property] of Object.entries(properties)) if (some(property, isSecret)) names.add(name);
  }
  return [...names];
}

/**
 * The schema with its combinators' members, which constrain the same value; a `$ref` among them may lead to any part of
 * it.
 */
function partsOf(schema: JsonObject): JsonObject[] {
  const members = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].flatMap((term) => schema[term] ?? []);
  const parts = [schema, ...members.filter(isObject).flatMap(partsOf)];
  return parts.some((part) => '$ref' in part) ? objectsIn(schema) : parts;
}

function objectsIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

function some(value: Json, isWanted: (part: JsonObject) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => some(item, isWanted));
  if (!isObject(value)) return false;
  return isWanted(value) || Object.values(value).some((item) => some(item, isWanted));
}

const secretTypes = new Set(['password', 'secret']);
/** Of credentials, as ADK and OAuth name them. */
const secretKeys = new Set(
  (
    'clientSecret client_secret accessToken access_token refreshToken refresh_token idToken id_token authCode auth_code ' +
    'authResponseUri auth_response_uri codeVerifier code_verifier apiKey api_key token password privateKey private_key ' +
    'privateKeyId private_key_id additionalHeaders additional_headers'
  ).split(' '),
);

/** Names of fields that a form marks as secret, anywhere in these values. */
function secretNamesIn(value: Json): Set<string> {
  const names = new Set<string>();
  for (const part of objectsIn(value)) {
    const { name, id, key, type, secret, properties } = part;
    const isSecret = isSecretProperty(part) || secret === true || (typeof type === 'string' && secretTypes.has(type));
    const named = [name, id, key].find((one) => typeof one === 'string');
    if (isSecret && typeof named === 'string') names.add(named);
    for (const [property, schema] of isObject(properties) ? Object.entries(properties) : [])
      if (some(schema, isSecretProperty)) names.add(property);
  }
  return names;
}

const hidden = '(a secret, which is not shown)';
const proposing = ['default', 'value', 'const', 'enum', 'examples'];

/** What an agent sent as people may read it: without the values of secrets. */
export function withoutSecretValues(sent: Json): Json {
  const names = secretNamesIn(sent);
  const clean = (value: Json, isSecret: boolean): Json => {
    if (Array.isArray(value)) return value.map((item) => clean(item, isSecret));
    if (!isObject(value)) return isSecret && value !== null ? hidden : value;
    const own = [value['name'], value['id'], value['key']].some((one) => typeof one === 'string' && names.has(one));
    const isField = own || isSecretProperty(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const isOwn = isField && proposing.includes(key);
        // A schema under the name of a secret describes it, and is none.
        const isValue = (names.has(key) || secretKeys.has(key)) && !isSchemaOf(item);
        return [key, clean(item, isSecret || isOwn || isValue)];
      }),
    );
  };
  return clean(sent, false);
}

const isSchemaOf = (value: Json): boolean => isObject(value) && ('type' in value || '$ref' in value);

/** The object without members that hold parts of a credential. */
export function withoutCredentials(value: JsonObject): JsonObject {
  const clean = (item: Json): Json => {
    if (Array.isArray(item)) return item.map(clean);
    return isObject(item) ? withoutCredentials(item) : item;
  };
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (secretKeys.has(key) && item !== null ? [] : [[key, clean(item)]])),
  );
}
