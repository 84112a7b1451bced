import { cutText } from '../../core/base/text.ts';
import type { A2aErrorInfo, A2aErrorWhat } from '../../contract/tasks/agent-error.ts';
import { stringOf } from '../../core/base/json.ts';
import { A2AError } from '@a2a-js/sdk/errors';
import { BodyTooLargeError, HttpStatusError } from '../../host/net/guarded-fetch.ts';
import { grpcStatusIn, ofGrpcStatus } from './grpc-errors.ts';
import { OAuthError } from '../../host/net/oauth.ts';
import { PolicyError } from '../../host/net/egress.ts';
import { cleanText } from '../../wire/a2a/codec/clean.ts';

/** The agent's card could not be read, so nothing was sent. */
export class CardError extends Error {
  override name = 'CardError';
  /** Whether the agent is known to have had a card here, so that it may come back. */
  readonly hadCard: boolean;
  constructor(message: string, { cause, hadCard = true }: { cause?: unknown; hadCard?: boolean } = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.hadCard = hadCard;
  }
}

/** The agent's card names no binding that is spoken here, so that there is no way to call it. */
export class NoBindingError extends Error {
  override name = 'NoBindingError';
}

const maxMessageChars = 300;
const maxCauses = 5;

/** `signal`: the caller's, so that its own abort reason is known as such. `secrets`: texts that must not appear. */
export function classifyA2aError(
  error: unknown,
  context: { signal?: AbortSignal | undefined; secrets?: readonly string[] } = {},
): A2aErrorInfo {
  const info = classify(error, context.signal);
  return { ...info, message: forPeople(info.message, context.secrets ?? []) };
}

function classify(error: unknown, signal: AbortSignal | undefined): A2aErrorInfo {
  // Work before the request does not count as sent, also when the time was up before the request was made.
  if (error instanceof CardError) return ofCard(error, signal);
  if (error instanceof NoBindingError) {
    return { kind: 'final', what: 'no-binding', wasTaken: false, message: error.message };
  }
  if (error instanceof OAuthError) return ofToken(error);
  if (isAbort(error, signal)) {
    return { kind: 'aborted', what: 'aborted', wasTaken: 'unknown', message: 'the request to the agent was given up' };
  }
  if (error instanceof PolicyError) {
    return error.wasSent
      ? { kind: 'final', what: 'policy', wasTaken: 'unknown', message: error.message }
      : { kind: 'not-sent', what: 'policy', wasTaken: false, message: error.message };
  }
  if (error instanceof HttpStatusError) return ofStatus(error);
  if (error instanceof BodyTooLargeError) {
    return { kind: 'final', what: 'too-large', wasTaken: 'unknown', message: error.message };
  }
  const status = grpcStatusIn(error);
  // With a name of its own it is an error of A2A.
  if (status !== null && textOf(error, 'name') === 'A2AError') return ofGrpcStatus(status);
  if (error instanceof A2AError) return ofProtocolError(error);
  return ofUnknown(error);
}

/** By name, not by class: errors of node's core come from another realm where modules are loaded in a VM. */
function isAbort(error: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted === true && (error === signal.reason || causesOf(error).includes(signal.reason))) return true;
  return ['AbortError', 'TimeoutError'].includes(textOf(error, 'name'));
}

/** Answers to a request for the card by which a server says that it has none there. */
export const noCardHere: readonly (number | undefined)[] = [400, 404, 410];

function ofCard(error: CardError, signal: AbortSignal | undefined): A2aErrorInfo {
  if (error.cause === undefined) return { kind: 'not-sent', what: 'card', wasTaken: false, message: error.message };
  const cause = classify(error.cause, signal);
  const isWrongAddress = !error.hadCard && noCardHere.includes(cause.status);
  return {
    ...cause,
    kind: cause.what === 'token' ? cause.kind : isWrongAddress ? 'final' : 'not-sent',
    what: cause.what === 'policy' || cause.what === 'token' ? cause.what : 'card',
    wasTaken: false,
    message: `${error.message}: ${cause.message}`,
  };
}

/** Nothing was sent. A token endpoint that refuses will refuse again; one that fails may recover. */
function ofToken({ status, isRetryable, retryAfterMs, message }: OAuthError): A2aErrorInfo {
  return {
    kind: isRetryable ? 'not-sent' : 'final',
    what: 'token',
    wasTaken: false,
    ...(status === 0 ? {} : { status }),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    message: `the agent was not asked: ${message}`,
  };
}

function ofStatus(error: HttpStatusError): A2aErrorInfo {
  const { status, retryAfterMs } = error;
  const isRetryable = (status >= 500 && status !== 501) || status === 408 || status === 425 || status === 429;
  // 503 says "not now" like 429, unless a proxy says that it had passed the request on.
  const isRefusal =
    status === 503 ? !error.wasCutUpstream : status === 501 || (status >= 400 && status < 500 && status !== 408);
  return {
    kind: isRetryable ? 'retryable' : 'final',
    what: 'http',
    wasTaken: isRefusal ? false : 'unknown',
    status,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    message: error.message,
  };
}

/** Codes of A2A 1.0 §5.4 and JSON-RPC, for errors that came without one (HTTP+JSON). */
const codesByName: Record<string, number> = {
  TaskNotFoundError: -32001,
  TaskNotCancelableError: -32002,
  PushNotificationNotSupportedError: -32003,
  UnsupportedOperationError: -32004,
  ContentTypeNotSupportedError: -32005,
  InvalidAgentResponseError: -32006,
  ExtendedAgentCardNotConfiguredError: -32007,
  ExtensionSupportRequiredError: -32008,
  VersionNotSupportedError: -32009,
  RequestMalformedError: -32602,
};

/** `isFromAgent`: it is known to have come from the agent. */
function ofProtocolError(error: A2AError, isFromAgent = false): A2aErrorInfo {
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
  const code =
    'envelopeCode' in error && typeof error.envelopeCode === 'number' ? error.envelopeCode : codesByName[error.name];
  // The SDK's 0.3 layer raises this one itself when it cannot read an answer; it then proves nothing about the request.
  const isLocal = !isFromAgent && error.name === 'RequestMalformedError' && !('transport' in error);
  const what = isLocal || code === -32006 ? 'protocol' : whatOf(code, error.message);
  const isRefusal = !['protocol', 'agent-error'].includes(what);
  return {
    kind: isRefusal ? 'final' : 'retryable',
    what,
    wasTaken: isRefusal ? false : 'unknown',
    ...(status === undefined ? {} : { status }),
    message: `the agent answered: ${error.message}`,
  };
}

function whatOf(code: number | undefined, message: string): A2aErrorWhat {
  switch (code) {
    case -32001:
      return 'task-not-found';
    case -32002:
      return 'not-cancelable';
    case -32004:
    case -32602:
      // There is no code for this; both SDKs use these words (0.3 with -32602).
      if (/terminal state/i.test(message)) return 'terminal-task';
      // Python's SDK, before it passes the message on.
      if (/push notification/i.test(message)) return 'no-push';
      return code === -32004 ? 'unsupported' : 'refused';
    case -32007:
      return 'unsupported';
    case -32601:
      return 'no-method';
    case -32009:
      return 'no-version';
    case -32003:
      return 'no-push';
    case -32005:
    case -32008:
    case -32600:
    case -32700:
      return 'refused';
    default:
      return 'agent-error';
  }
}

function ofUnknown(error: unknown): A2aErrorInfo {
  const causes = causesOf(error);
  // With the id of our request, inside a stream: the agent's answer, as one outside of a stream is.
  const answer = isErrorEvent(error) ? causes.find((cause) => cause instanceof A2AError) : undefined;
  if (answer !== undefined) return ofProtocolError(answer, true);
  const own = causes.find((cause) => cause instanceof A2AError || cause instanceof BodyTooLargeError);
  // The SDK's own, raised after the agent opened the stream: it is not a proof that nothing was taken.
  if (own !== undefined) return { ...classify(own, undefined), wasTaken: 'unknown' };
  const codes = [...new Set(causes.map((cause) => textOf(cause, 'code')).filter((code) => code !== ''))];
  const message = codes.length === 0 ? '' : ` (${codes.slice(0, 3).join(', ')})`;
  if (isConnectFailure(causes)) {
    return { kind: 'not-sent', what: 'network', wasTaken: false, message: `the agent cannot be reached${message}` };
  }
  const isNetwork = codes.length > 0 || ['fetch failed', 'terminated'].includes(textOf(error, 'message'));
  return isNetwork
    ? {
        kind: 'retryable',
        what: 'network',
        wasTaken: 'unknown',
        message: `the connection to the agent broke${message}`,
      }
    : // Its text may quote what the agent sent, so it is not repeated.
      { kind: 'retryable', what: 'protocol', wasTaken: 'unknown', message: 'the agent sent something that is not A2A' };
}

/** As the SDK's client reports an event that is an error; only its words tell it from an event that it cannot read. */
const isErrorEvent = (error: unknown): boolean => textOf(error, 'message').startsWith('SSE event contained an error');

const unverifiedPeer = /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF|SELF_SIGNED_CERT|UNABLE_TO_)/;

/** No connection, no request: name resolution, connecting, or the other side's certificate failed. */
function isConnectFailure(causes: unknown[]): boolean {
  const coded = causes.filter((cause) => textOf(cause, 'code') !== '' && !isAggregate(cause));
  return coded.length > 0 && coded.every(isBeforeRequest);
}

function isBeforeRequest(cause: unknown): boolean {
  const code = textOf(cause, 'code');
  return (
    ['connect', 'getaddrinfo'].includes(textOf(cause, 'syscall')) ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    unverifiedPeer.test(code)
  );
}

function isAggregate(error: unknown): error is { errors: unknown[] } {
  return typeof error === 'object' && error !== null && 'errors' in error && Array.isArray(error.errors);
}

/** The error and its causes, outermost first; if several addresses were tried, all of their failures. */
function causesOf(error: unknown, depth = 0): unknown[] {
  if (typeof error !== 'object' || error === null || depth > maxCauses) return [];
  const inner: unknown[] = isAggregate(error) ? error.errors.slice(0, 10) : [];
  const cause: unknown = 'cause' in error ? error.cause : undefined;
  return [error, ...[...inner, cause].flatMap((item) => causesOf(item, depth + 1))];
}

function textOf(error: unknown, key: string): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Reflect.get(error, key);
  return stringOf(value);
}

function forPeople(message: string, secrets: readonly string[]): string {
  // A header's value may be quoted whole or without its scheme ("Bearer …").
  const texts = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]).filter((text) => text.length >= 6);
  const hidden = texts.reduce((text, secret) => text.replaceAll(secret, '***'), message);
  const plain = cleanText(hidden)
    .replace(/\b(bearer|basic)\s+\S+/gi, '$1 ***')
    .replace(/\/\/[^/\s@]+@/g, '//***@')
    .replace(/\s+/g, ' ');
  return cutText(plain, maxMessageChars);
}
