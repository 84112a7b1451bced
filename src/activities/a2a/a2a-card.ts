import { cutText } from '../../core/base/text.ts';
import type { AgentCard } from '@a2a-js/sdk';
import { A2A_PROTOCOL_VERSION, A2A_VERSION_HEADER, AGENT_CARD_PATH, verifyAgentCardSignature } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { z } from 'zod';
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import { PolicyError } from '../../host/net/egress.ts';
import { isObject, parseJson } from '../../core/base/json.ts';
import {
  bindingOf,
  chosenInterface,
  spokenBindings,
  webAddressOf,
  type AgentInterface,
} from '../../core/turn/agent-interface.ts';
import { assistantAddress } from '../../wire/a2a/codec/langgraph-server.ts';
import { HttpStatusError } from '../../host/net/guarded-fetch.ts';
import { CardError, noCardHere, NoBindingError } from './a2a-errors.ts';
import { timeLimit } from '../../host/process/time-limit.ts';

/** An agent's card, fetched when it is first needed and kept for five minutes. */
interface CardSource {
  load(signal: AbortSignal): Promise<AgentCard>;
  /** After a failure: the agent may have moved, so the next call reads its card again. */
  forget(): void;
  /** Asks for the card and reads none: whether the agent's server answers now. */
  ping(signal: AbortSignal): Promise<void>;
  /** The card as it is now, where this one has proved wrong; one that another call has read since is as good. */
  renew(wrong: AgentCard, signal: AbortSignal): Promise<AgentCard>;
}

/** A task that no agent has: to ask for it costs an agent nothing, and only a server that takes messages says so. */
export const taskOfNone = { tenant: '', id: '00000000-0000-4000-8000-000000000000', historyLength: undefined };

const freshMs = 5 * 60_000;
const timeoutMs = 10_000;
const maxCardChars = 1024 * 1024;

/** All that Standfast relies on; the SDK passes a card on as it came. */
const CardSchema = z.looseObject({
  name: z.string().catch(''),
  supportedInterfaces: z
    .array(z.looseObject({ url: z.string(), protocolBinding: z.string() }))
    .min(1, 'it names no interface'),
});

interface CardOptions {
  url: string;
  /** Where the agent is called, whatever address its card names. */
  endpoint?: string;
  allowedOrigins: readonly string[];
  /** Extensions that Standfast supports, or that the configuration activates. */
  spoken: readonly string[];
  fetchImpl: typeof fetch;
  /** One of them must have signed the card; missing: signatures are not checked. */
  keys?: AgentConfig['cardKeys'];
  /** Reads the extended card, which needs authentication. */
  readExtended(card: AgentCard, signal: AbortSignal): Promise<AgentCard>;
  warn(error: unknown, message: string): void;
}

export function createCardSource(options: CardOptions): CardSource {
  const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });
  let address = cardAddress(options.url);
  let kept: { card: Promise<AgentCard>; until: number; read: AgentCard | null } | null = null;
  let wasReadBefore = false;

  const textAt = async (at: URL): Promise<string> => {
    const response = await options.fetchImpl(at, {
      headers: { [A2A_VERSION_HEADER]: A2A_PROTOCOL_VERSION, Accept: 'application/json' },
      // Its own time limit: callers share one fetch, and none of them may end it for the others.
      signal: timeLimit(timeoutMs),
    });
    const text = await response.text();
    if (text.length > maxCardChars) throw new CardError('the agent card is too large');
    return text;
  };

  /** Without a card below it, the configured address may be one itself, whatever its name ends in. */
  const readCard = async (): Promise<string> => {
    try {
      return await textAt(address);
    } catch (error) {
      const itself = new URL(options.url);
      const isElsewhere =
        error instanceof HttpStatusError &&
        noCardHere.includes(error.status) &&
        assistantAddress(address.origin, error.body) === null;
      if (!isElsewhere || itself.href === address.href) throw error;
      const text = await textAt(itself).catch(() => '');
      if (!isObject(parseJson(text))) throw error;
      address = itself;
      return text;
    }
  };

  const fetchPublic = async (): Promise<AgentCard> => {
    let text = '';
    try {
      text = await readCard();
      const card = checkCard(await signedCard(resolver.normalizeAgentCard(JSON.parse(text)), options.keys), options);
      wasReadBefore = true;
      return card;
    } catch (error) {
      // Some servers have their cards elsewhere, and say so.
      const known = assistantAddress(address.origin, error instanceof HttpStatusError ? error.body : text);
      const what = `the agent card cannot be read${known === null ? '' : ` (it is ${known})`}`;
      if (known !== null) throw new CardError(what, { cause: error, hadCard: wasReadBefore });
      if (error instanceof CardError || error instanceof NoBindingError) throw error;
      if (error instanceof PolicyError) throw new CardError('the agent card cannot be used', { cause: error });
      throw new CardError(what, { cause: error, hadCard: wasReadBefore });
    }
  };

  /** The extended card replaces the public one; without it the public one is used. */
  const fetchCard = async (): Promise<AgentCard> => {
    const card = await fetchPublic();
    if (card.capabilities?.extendedAgentCard !== true) return card;
    try {
      const extended = await options.readExtended(card, timeLimit(timeoutMs));
      return checkCard(await signedCard(extended, options.keys), options);
    } catch (error) {
      options.warn(error, 'the agent’s extended card cannot be used; the public one is');
      return card;
    }
  };

  const load = async (signal: AbortSignal): Promise<AgentCard> => {
    signal.throwIfAborted();
    if (kept === null || kept.until <= performance.now()) {
      const mine: typeof kept = { card: fetchCard(), until: performance.now() + freshMs, read: null };
      kept = mine;
      mine.card.then(
        (card) => (mine.read = card),
        () => {
          if (kept === mine) kept = null;
        },
      );
    }
    return unlessAborted(kept.card, signal);
  };

  return {
    load,
    forget(): void {
      kept = null;
    },
    async ping(signal) {
      const response = await options.fetchImpl(address, { headers: { Accept: 'application/json' }, signal });
      await response.body?.cancel();
    },
    renew(wrong, signal) {
      if (kept?.read === wrong) kept = null;
      return load(signal);
    },
  };
}

/**
 * Where the card is read first: the configured address when it ends in `.json`, else it is a base under which the
 * well-known path lies.
 */
export function cardAddress(url: string): URL {
  const base = new URL(url);
  if (base.pathname.endsWith('.json')) return base;
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return new URL(AGENT_CARD_PATH, base);
}

/** The card, if one of the keys signed it; an address may serve the card of another agent. */
async function signedCard(card: AgentCard, keys: AgentConfig['cardKeys']): Promise<AgentCard> {
  if (keys === undefined) return card;
  const verify = verifyAgentCardSignature((kid) => {
    const key = keys.find((one) => one.kid === kid);
    return key === undefined ? Promise.reject(new Error('unknown key')) : Promise.resolve(key);
  });
  try {
    await verify(card);
    return card;
  } catch {
    throw new PolicyError('the agent card is not signed by one of the keys that agents.<name>.cardKeys names');
  }
}

/** The card with only those interfaces that may be called, first the one that is. */
function checkCard(card: AgentCard, { url, endpoint, allowedOrigins, spoken }: CardOptions): AgentCard {
  const read = CardSchema.safeParse(card);
  if (!read.success) throw new CardError(`the agent card is not valid: ${read.error.issues[0]?.message ?? 'unknown'}`);
  refuseUnspoken(card, spoken);
  const known = card.supportedInterfaces
    .filter(({ protocolBinding }) => bindingOf(protocolBinding) !== null)
    .map((one) => ({ ...one, ...withVersion(one), url: webAddressOf(one, url) }));
  const first = chosenInterface(known);
  if (first === null) throw new NoBindingError(whyNoBinding(card.supportedInterfaces));
  if (endpoint !== undefined) return { ...card, supportedInterfaces: [{ ...first, url: endpoint }] };
  const usable = known.filter((one) => allowedOrigins.includes(originOf(one.url)));
  const chosen = chosenInterface(usable);
  if (chosen !== null) {
    return { ...card, supportedInterfaces: [chosen, ...usable.filter((one) => one !== chosen)] };
  }
  const origins = [...new Set(known.map((one) => originOf(one.url)))];
  const named = origins.map((origin) => (origin === '' ? 'something that is not an address' : origin));
  throw new PolicyError(
    `the agent card names ${named.slice(0, 3).join(', ')}, which is not where the agent is configured; ` +
      'add it to allowOrigins to permit it, or set endpoint to the address where the agent is',
  );
}

/**
 * Cards as old as 0.3 name no such list, yet the SDK would speak 0.3 to an interface without a version, which many servers
 * of 1.0 write and do not understand (the Python SDK's own sample is one).
 */
const withVersion = ({ protocolVersion }: AgentInterface): Pick<AgentInterface, 'protocolVersion'> => ({
  protocolVersion: protocolVersion || A2A_PROTOCOL_VERSION,
});

function whyNoBinding(interfaces: readonly AgentInterface[]): string {
  const offered = [...new Set(interfaces.map(({ protocolBinding }) => cutText(protocolBinding, 50)))].slice(0, 5);
  return (
    `the agent card offers ${offered.join(', ')} only, and Standfast speaks ${spokenBindings.join(', ')}; ` +
    'have the agent serve one of them'
  );
}

/** Without an extension that it requires, an agent refuses every message (A2A 1.0, -32008). */
function refuseUnspoken(card: AgentCard, spoken: readonly string[]): void {
  const missing = extensionsOf(card).filter(({ uri, isRequired }) => isRequired && !spoken.includes(uri));
  if (missing.length === 0) return;
  const named = missing
    .slice(0, 3)
    .map(({ uri }) => cutText(uri, 200))
    .join(', ');
  throw new PolicyError(
    `the agent requires ${missing.length === 1 ? 'an extension' : 'extensions'} that Standfast does not speak: ${named}; ` +
      'if naming it in each request is enough, add it to the agent’s extensions in the configuration',
  );
}

/** A card is unchecked input: nothing in it is sure to have its declared type. */
function extensionsOf(card: AgentCard): { uri: string; isRequired: boolean }[] {
  const offered: unknown = card.capabilities?.extensions;
  if (!Array.isArray(offered)) return [];
  return offered.flatMap((extension: unknown) => {
    if (typeof extension !== 'object' || extension === null) {
      return typeof extension === 'string' ? [{ uri: extension, isRequired: false }] : [];
    }
    const uri: unknown = Reflect.get(extension, 'uri');
    return typeof uri === 'string' ? [{ uri, isRequired: Reflect.get(extension, 'required') === true }] : [];
  });
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
