// An agent as operators see it: what its card and the configuration say, and how it has fared.
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import type { KeptCard } from '../../contract/tasks/agent-card.ts';
import { type AgentDetail, latelyDays } from '../../contract/views/operate.ts';
import { askedDialects } from '../../core/questions/agent-dialects.ts';
import type { AgentStatistics, LastTask } from '../../store/ports/statistics.ts';
import { knownAgent } from '../agents/capabilities.ts';
import { heartbeatStaleMs } from '../engine/temporal-failures.ts';
import type { AgentCircuit } from '../../store/ports/circuits.ts';
import type { PolicyReads } from '../api-parts.ts';

const dayMs = 86_400_000;

/** Where an agent is: without what opens it. */
function bareUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}

/** How a task fails when its agent is to blame, or cannot be reached. */
const agentsFault = ['agent_unreachable', 'agent_silent', 'agent_failed', 'agent_rejected'];

function stateOf(cardSeenAt: string | null, last: LastTask | undefined): AgentDetail['state'] {
  if (last?.status === 'FAILED' && agentsFault.includes(last.error?.code ?? '')) return 'failing';
  return cardSeenAt === null && last === undefined ? 'unread' : 'ok';
}

type CardFields =
  | 'version'
  | 'provider'
  | 'interfaces'
  | 'streaming'
  | 'pushNotifications'
  | 'extensions'
  | 'inputModes'
  | 'outputModes'
  | 'skills';

function cardFields(card: KeptCard | null): Pick<AgentDetail, CardFields> {
  return {
    version: card?.version ?? '',
    provider: card?.provider.organization ?? '',
    interfaces: (card?.supportedInterfaces ?? []).map((one) => `${one.protocolBinding} ${one.protocolVersion}`.trim()),
    streaming: card?.capabilities.streaming ?? false,
    pushNotifications: card?.capabilities.pushNotifications ?? false,
    extensions: (card?.capabilities.extensions ?? []).map(({ uri }) => uri),
    inputModes: card?.defaultInputModes ?? [],
    outputModes: card?.defaultOutputModes ?? [],
    skills: (card?.skills ?? []).map(({ name, description, tags, examples }) => ({
      name,
      description,
      tags,
      examples,
    })),
  };
}

interface Found {
  config: AgentConfig;
  counts: AgentStatistics | undefined;
  last: LastTask | undefined;
  failure: LastTask | undefined;
  away: AgentDetail['away'];
  slots: AgentDetail['slots'] | undefined;
}

function detailOf(
  agent: ReturnType<typeof knownAgent>,
  { config, counts, last, failure, away, slots }: Found,
): AgentDetail {
  const { name, title, description, card, cardSeenAt } = agent;
  return {
    name,
    title,
    description,
    url: bareUrl(config.url),
    state: away?.state === 'open' ? 'away' : stateOf(cardSeenAt, last),
    cardSeenAt,
    ...cardFields(card),
    dialects: askedDialects(card, config.extensions),
    policy: config.policy ?? null,
    rules: config.rules,
    tasks: counts?.tasks ?? { open: 0, done: 0, failed: 0, cancelled: 0 },
    questions: counts?.questions ?? { open: 0, asked: 0 },
    lately: counts?.lately ?? Array.from({ length: latelyDays }, () => ({ asked: 0, failed: 0 })),
    lastTask: last === undefined ? null : { id: last.taskId, at: last.updatedAt, status: last.status },
    away,
    slots: slots ?? { sending: 0, answering: 0, silent: 0 },
    lastFailure:
      failure?.error == null
        ? null
        : { id: failure.taskId, at: failure.updatedAt, code: failure.error.code, message: failure.error.message },
  };
}

function awayOf(circuit: AgentCircuit | undefined, waiting = 0): AgentDetail['away'] {
  if (circuit === undefined) return null;
  const { since, state, cause } = circuit;
  return { since, state, cause, waiting };
}

export async function readAgentDetails({ config, store }: PolicyReads, days: number): Promise<AgentDetail[]> {
  const [cards, statistics, last, failures, circuits, waiting, { agents: slots }] = await Promise.all([
    store.agents.listCards(),
    store.statistics.agents(days * dayMs),
    store.statistics.lastTasks(days * dayMs, false),
    store.statistics.lastTasks(days * dayMs, true),
    store.circuits.list(),
    store.circuits.countWaiting(),
    store.workers.slots(heartbeatStaleMs),
  ]);
  return Object.entries(config.agents).map(([name, own]) => {
    const isIts = ({ agent }: { agent: string }): boolean => agent === name;
    return detailOf(knownAgent(name, own, cards.find(isIts) ?? null), {
      config: own,
      counts: statistics.find(isIts),
      last: last.find(isIts),
      failure: failures.find(isIts),
      away: awayOf(circuits.find(isIts), waiting[name]),
      slots: slots[name],
    });
  });
}
