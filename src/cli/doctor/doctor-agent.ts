// What `standfast doctor` says of one agent: what its card tells, or what answers in its place, and where the card lies.
import type { AgentCard } from '@a2a-js/sdk';
import { cardAddress } from '../../activities/a2a/a2a-card.ts';
import { createA2aTransport } from '../../activities/a2a/a2a-transport.ts';
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import { KeptCardSchema, type KeptCard } from '../../contract/tasks/agent-card.ts';
import { isObject, parseJson } from '../../core/base/json.ts';
import { askedDialects, spokenExtensions } from '../../core/questions/agent-dialects.ts';
import type { Egress } from '../../host/net/egress.ts';
import { createGuardedFetch } from '../../host/net/guarded-fetch.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import { assistantAddress, isLangGraphServer } from '../../wire/a2a/codec/langgraph-server.ts';

const limitMs = 5000;
const maxNamed = 5;

/** What the agent's card says; throws with what is wrong and what to do. */
export async function checkAgent(name: string, agent: AgentConfig, egress: Egress): Promise<string> {
  const transport = createA2aTransport({ agent: name, config: agent, egress });
  try {
    const card = await transport.card({ signal: timeLimit(limitMs) });
    const isAgentOs = card.supportedInterfaces.some(({ url }) => url.endsWith('/v1/message:stream'));
    const limit = isAgentOs ? '; AgentOS: its tasks can neither be read again nor be cancelled at the agent' : '';
    return describeCard(KeptCardSchema.parse(card), agent.extensions) + limit + calledBy(card);
  } catch (error) {
    const { what, message: why } = transport.classify(error);
    // The reason says what to do itself.
    if (what === 'policy' || what === 'no-binding') throw new Error(why, { cause: error });
    const { reply, known } = await whatAnswers(agent, egress);
    const help = known ?? `check that it runs at ${agent.url} and serves its card`;
    const found = reply === null || !(error instanceof Error) ? why : `${error.message}: ${reply}`;
    throw new Error(`${found} — ${help}`, { cause: error });
  }
}

/** The interface that runs call, by the same choice. */
function calledBy({ supportedInterfaces: [chosen] }: AgentCard): string {
  return chosen === undefined ? '' : `; called by ${chosen.protocolBinding} ${chosen.protocolVersion} at ${chosen.url}`;
}

/** The card in one line. */
export function describeCard(card: KeptCard, activated: readonly string[]): string {
  const streams = card.capabilities.streaming ? 'streams' : 'does not stream: it will be polled';
  const dialects: string[] = askedDialects(card, activated);
  if (isLangGraphServer(card)) dialects.push('langchain');
  // Forms and text need no word in a card: where it has none, nothing is missing.
  const asks = dialects.length > 0 ? `; asks by ${dialects.join(', ')}` : '';
  const unknown = card.capabilities.extensions
    .map(({ uri }) => uri)
    .filter((uri) => !spokenExtensions.includes(uri) && !activated.includes(uri) && !uri.startsWith(langGraph));
  const strange = unknown.length === 0 ? '' : `; extensions that are not understood: ${listed(unknown)}`;
  return `${card.name} (${streams}${asks}${strange})`;
}

const langGraph = 'https://langchain.com/a2a/extensions/';

/** The status and first line of what answers where the card should be, and the right address of servers that are known. */
async function whatAnswers(
  agent: AgentConfig,
  egress: Egress,
): Promise<{ reply: string | null; known: string | null }> {
  const { origin } = new URL(agent.url);
  const fetchImpl = createGuardedFetch({
    allowedOrigins: [origin, ...agent.allowOrigins],
    egress,
    headers: agent.headers,
    maxBytes: 1024 * 1024,
    passesErrors: true,
  });
  const read = async (address: URL | string): Promise<{ status: number; text: string } | null> => {
    try {
      const response = await fetchImpl(address, { signal: timeLimit(limitMs) });
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  };
  const answer = await read(cardAddress(agent.url));
  if (answer === null) return { reply: null, known: null };
  const line = answer.text.trim().split('\n')[0]?.slice(0, 200) ?? '';
  const reply = `it answered HTTP ${answer.status}${line === '' ? '' : `, ${line}`}`;
  const server = { origin, isAtRoot: new URL(agent.url).pathname === '/' };
  const known = await knownServer(server, answer.text, async (path) =>
    parseJson((await read(origin + path))?.text ?? ''),
  );
  return { reply, known };
}

/** Servers whose agents have addresses of their own, by what they answer. */
async function knownServer(
  { origin, isAtRoot }: { origin: string; isAtRoot: boolean },
  answer: string,
  read: (path: string) => Promise<unknown>,
): Promise<string | null> {
  const assistant = assistantAddress(origin, answer);
  if (assistant !== null) return assistant;
  const config = await read('/config');
  if (isObject(config) && 'os_id' in config) {
    const ids = Array.isArray(config['agents']) ? config['agents'].filter(isObject).map(({ id }) => String(id)) : [];
    return `AgentOS: use ${origin}/a2a/agents/<id>${ids.length === 0 ? '' : `, the id one of ${listed(ids)}`}`;
  }
  const apps = await read('/list-apps');
  if (Array.isArray(apps) && apps.every((app) => typeof app === 'string')) {
    return `an ADK server: use ${origin}/a2a/<app>, the app one of ${listed(apps)}; it must run with --a2a`;
  }
  // What answered is that very card, where the address is the server's own.
  if (isAtRoot) return null;
  const card = await read('/.well-known/agent-card.json');
  return isObject(card) && typeof card['name'] === 'string'
    ? `the card of "${card['name']}" is at ${origin}/: name that address`
    : null;
}

const listed = (names: readonly string[]): string =>
  [...names.slice(0, maxNamed), ...(names.length > maxNamed ? [`and ${names.length - maxNamed} more`] : [])].join(', ');
