// The agents' names; they come with who is signed in.
import { useMe } from './me.ts';

export interface AgentName {
  name: string;
  title: string;
}

/** Null until they are known. */
export const useAgents = (): AgentName[] | null => useMe()?.agents ?? null;

/** A program that asked over MCP is told the answer and nothing else: nobody there can be asked back, and no agent has this name. */
export const hearsWords = (agent: string): boolean => agent !== 'mcp';
