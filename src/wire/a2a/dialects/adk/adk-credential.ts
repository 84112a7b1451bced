import { paragraphs } from '../../../../core/base/text.ts';
import { distinctLinks, readLink } from '../../../../core/questions/stated.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { AgentMessage } from '../../../../contract/tasks/turn.ts';
import { type AdkCall, type AdkResponse, questionOf, readCalls } from './adk-call.ts';
import { type Answered } from '../base/dialect.ts';
import { declined } from '../forms/form-answer.ts';
import { secretsOf, withoutCredentials } from '../base/secret-fields.ts';
import { isObject, objectOf } from '../../../../core/base/json.ts';

/*
 * `adk_request_credential`: the agent sends an auth configuration and expects it back with the credential filled in.
 * The configuration may contain secrets (the client secret), and questions are kept in workflow history, so the
 * question keeps a redacted copy: ADK 2 completes it from its own session, and for older agents the original is read
 * again (`paused`).
 */

type Style = 'callback' | 'key' | 'token' | 'password';

/** The question, or the reason why this kind of credential cannot be provided here. */
export function askCredential(call: AdkCall, text: string): Question | string {
  const config = call.args['authConfig'];
  if (!isObject(config)) return 'the credential it asks for is not described';
  const style = styleOf(config);
  if (style === null) return 'it asks for a kind of credential that people cannot supply';
  const kept = withoutCredentials(config);
  const schema = schemaOf(style);
  const { authUri } = oauthOf(config);
  const link = readLink(authUri, undefined);
  const unsafe = link === null && isText(authUri) ? `(Its address is none that is shown as a link: ${authUri})` : '';
  return questionOf(call, {
    kind: 'authorization',
    title: 'The agent asks for a credential',
    hasOwnTitle: false,
    message: paragraphs([text === '' ? 'The agent needs a credential to go on.' : text, guides[style], unsafe]),
    schema,
    links: distinctLinks([link && { ...link, title: `Authorise at ${link.title}` }]),
    secrets: secretsOf(schema),
    reply: { style, authConfig: kept, isComplete: JSON.stringify(kept) === JSON.stringify(config) },
  });
}

/** True when the answer should be built from the agent's original configuration, because the stored copy is redacted. */
export function lacksSecrets({ reply }: Question): boolean {
  return reply['isComplete'] === false;
}

export function answerCredential(answered: Answered): AdkResponse {
  const { question, answer, paused } = answered;
  if (answer.status === 'cancelled') return refusedCredential(answered);
  const config = originalOf(question, paused ?? null) ?? objectOf(question.reply['authConfig']);
  const exchanged = objectOf(config['exchangedAuthCredential']);
  const filled = fill(styleOf(config), config, answer.values);
  if (filled === null) return { why: 'the answer holds no credential' };
  return { response: { ...config, exchangedAuthCredential: { ...exchanged, ...filled } }, note: '' };
}

/** The values in a caller's own response; null when it contains no credential. */
export function valuesOfCredential({ reply }: Question, response: JsonObject): JsonObject | null {
  const exchanged = objectOf(response['exchangedAuthCredential']);
  const { token, username, password } = objectOf(objectOf(exchanged['http'])['credentials']);
  switch (reply['style']) {
    case 'callback':
      return definedValues({ callbackUrl: objectOf(exchanged['oauth2'])['authResponseUri'] });
    case 'key':
      return definedValues({ credential: exchanged['apiKey'] });
    case 'token':
      return definedValues({ credential: token });
    case 'password':
      return definedValues({ username, password });
    default:
      return null;
  }
}

function definedValues(values: Record<string, Json | undefined>): JsonObject | null {
  const entries = Object.entries(values).filter((entry): entry is [string, Json] => entry[1] != null);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/**
 * A response without a credential, which ADK accepts and continues without; a response that is not an auth configuration
 * would fail the turn of older agents. Sent only next to other answers: refusing a lone credential ends the task.
 */
function refusedCredential({ question, answer }: Answered): AdkResponse {
  const { data, text } = declined(question, answer);
  const config = objectOf(question.reply['authConfig']);
  return { response: { ...config, exchangedAuthCredential: null, ...data }, note: text };
}

const guides: Record<Style, string> = {
  callback:
    'Open the link, allow the access, and copy the full address of the page that you are sent to then, even if that page shows an error.',
  key: 'It is sent to the agent alone.',
  token: 'It is sent to the agent alone.',
  password: 'They are sent to the agent alone.',
};

const secret = (title: string): JsonObject => ({
  type: 'string',
  title,
  format: 'password',
  writeOnly: true,
  minLength: 1,
});

const form = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

function schemaOf(style: Style): JsonObject {
  switch (style) {
    case 'callback':
      return form({
        callbackUrl: {
          type: 'string',
          title: 'Address you were sent to',
          format: 'uri',
          writeOnly: true,
          minLength: 1,
        },
      });
    case 'key':
      return form({ credential: secret('API key') });
    case 'token':
      return form({ credential: secret('Token') });
    case 'password':
      return form({ username: { type: 'string', title: 'User name', minLength: 1 }, password: secret('Password') });
    default:
      return style satisfies never;
  }
}

function styleOf(config: JsonObject): Style | null {
  const exchanged = objectOf(config['exchangedAuthCredential']);
  const type = exchanged['authType'] ?? objectOf(config['rawAuthCredential'])['authType'];
  switch (type ?? objectOf(config['authScheme'])['type']) {
    case 'oauth2':
    case 'openIdConnect':
      return 'callback';
    case 'apiKey':
      return 'key';
    case 'http':
      return httpScheme(config) === 'basic' ? 'password' : 'token';
    default:
      return null;
  }
}

/** The credential in the shape of ADK's `AuthCredential`; null when the values do not fit the scheme. */
function fill(style: Style | null, config: JsonObject, values: JsonObject): JsonObject | null {
  const { callbackUrl, credential, username, password } = values;
  const exchanged = objectOf(config['exchangedAuthCredential']);
  const http = (credentials: JsonObject): JsonObject => ({
    authType: 'http',
    http: { ...objectOf(exchanged['http']), scheme: httpScheme(config), credentials },
  });
  if (style === 'callback' && typeof callbackUrl === 'string' && URL.canParse(callbackUrl)) {
    const redirectUri = redirectOf(config, callbackUrl);
    const oauth2 = { ...objectOf(exchanged['oauth2']), redirectUri, authResponseUri: callbackUrl };
    return { authType: exchanged['authType'] ?? 'oauth2', oauth2 };
  }
  if (style === 'key' && isText(credential)) return { authType: 'apiKey', apiKey: credential };
  if (style === 'token' && isText(credential)) return http({ token: credential });
  return style === 'password' && isText(username) && isText(password) ? http({ username, password }) : null;
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

function httpScheme(config: JsonObject): string {
  const http = objectOf(
    objectOf(config['exchangedAuthCredential'])['http'] ?? objectOf(config['rawAuthCredential'])['http'],
  );
  const scheme = http['scheme'] ?? objectOf(config['authScheme'])['scheme'];
  return typeof scheme === 'string' ? scheme.toLowerCase() : 'bearer';
}

function oauthOf(config: JsonObject): JsonObject {
  const exchanged = objectOf(objectOf(config['exchangedAuthCredential'])['oauth2']);
  return { ...objectOf(objectOf(config['rawAuthCredential'])['oauth2']), ...exchanged };
}

/** OAuth requires the same redirect URI again: the configured one, else that of the callback. */
function redirectOf(config: JsonObject, callbackUrl: string): string {
  const { redirectUri, authUri } = oauthOf(config);
  if (isText(redirectUri)) return redirectUri;
  const inLink = isText(authUri) && URL.canParse(authUri) ? new URL(authUri).searchParams.get('redirect_uri') : null;
  const back = new URL(callbackUrl);
  return inLink ?? `${back.origin}${back.pathname}`;
}

function originalOf(question: Question, paused: AgentMessage | null): JsonObject | null {
  const calls = readCalls(paused);
  const call = typeof calls === 'string' ? undefined : calls.find(({ id }) => id === question.formId);
  const config = call?.args['authConfig'];
  return isObject(config) ? config : null;
}
