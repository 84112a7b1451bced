// The agents' names; asked once for the whole page, which meets new ones at its next reload.
import { useEffect, useSyncExternalStore } from 'react';
import { get } from './api.ts';
import { createListeners } from './listeners.ts';

export interface AgentName {
  name: string;
  title: string;
}

const changed = createListeners<[]>();
let agents: AgentName[] | null = null;
let isAsked = false;

async function ask(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  try {
    agents = (await get<{ items: AgentName[] }>('/agents')).items;
    changed.tell();
  } catch {
    // Asked again when the next part of the page wants them.
    isAsked = false;
  }
}

const current = (): AgentName[] | null => agents;

/** Null until they are known. */
export function useAgents(): AgentName[] | null {
  useEffect(() => void ask(), []);
  return useSyncExternalStore(changed.add, current);
}

/** A program that asked over MCP is told the answer and nothing else: nobody there can be asked back, and no agent has this name. */
export const hearsWords = (agent: string): boolean => agent !== 'mcp';
