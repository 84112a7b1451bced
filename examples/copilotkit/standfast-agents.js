// What the CopilotKit runtime knows of Standfast: its agents with their capabilities, and the state of a conversation.
import { randomUUID } from 'node:crypto';
import { HttpAgent } from '@ag-ui/client';
import { InMemoryAgentRunner } from '@copilotkit/runtime/v2';

/** An agent behind Standfast; the runtime passes its capabilities on with `/info`. */
class StandfastAgent extends HttpAgent {
  capabilities = {};

  clone() {
    const copy = super.clone();
    copy.capabilities = this.capabilities;
    return copy;
  }

  async getCapabilities() {
    return this.capabilities;
  }
}

const agentOf = ({ url, headers }, agentId) =>
  new StandfastAgent({ url: `${url}/agents/${encodeURIComponent(agentId)}/run`, agentId, headers });

/**
 * All agents that Standfast has. The runtime asks for them with every request, so a new one needs no restart.
 * @param {{ url: string, headers: Record<string, string> }} standfast
 */
export async function agentsOf(standfast) {
  const response = await fetch(`${standfast.url}/agents`, { headers: standfast.headers });
  if (!response.ok) throw new Error(`Standfast answered ${response.status} for its agents`);
  const { items } = await response.json();
  const agents = items.map(({ name, capabilities }) => [
    name,
    Object.assign(agentOf(standfast, name), { capabilities }),
  ]);
  return Object.fromEntries(agents);
}

/**
 * A page that was reloaded asks the runtime for its conversation. The runtime's own runner knows only the runs of
 * its own process; Standfast knows all of them, and which questions are still open.
 */
export class StandfastRunner extends InMemoryAgentRunner {
  /** @param {{ url: string, headers: Record<string, string> }} standfast */
  constructor(standfast) {
    super();
    this.standfast = standfast;
  }

  connect({ threadId, agentId }) {
    const forwardedProps = { a2a: { subscribeOnly: true } };
    const input = { threadId, runId: randomUUID(), messages: [], state: {}, tools: [], context: [], forwardedProps };
    return agentOf(this.standfast, agentId).run(input);
  }
}
