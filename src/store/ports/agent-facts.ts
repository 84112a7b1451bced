import type { JsonObject } from '../../contract/base/json.ts';

/** Cached agent card, with the time at which a worker last fetched it. */
export interface CardRow {
  agent: string;
  card: JsonObject;
  seenAt: string;
}

/** What was learnt of each agent. */
export interface AgentFacts {
  /** Whether a history of this agent has ever contained one of Standfast's message ids. */
  showsMessageIds(agent: string): Promise<boolean>;
  markShowsMessageIds(agent: string): Promise<void>;
  /** Which messages are sent to this agent without streaming, after it failed to answer one by a stream. */
  sendsWithout(agent: string): Promise<'follow-ups' | 'all' | null>;
  /** Sets it; `all` is never narrowed. */
  markSendsWithout(agent: string, which: 'follow-ups' | 'all'): Promise<void>;
  /** Caches an agent card, fetched now. */
  saveCard(agent: string, card: JsonObject): Promise<void>;
  getCard(agent: string): Promise<CardRow | null>;
  listCards(): Promise<CardRow[]>;
}
