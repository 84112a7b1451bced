// What the CopilotKit runtime knows of Holdpoint: its agents with their capabilities, and the state of a conversation.
import { randomUUID } from 'node:crypto';
import { HttpAgent } from '@ag-ui/client';
import { InMemoryAgentRunner } from '@copilotkit/runtime/v2';

/** An agent behind Holdpoint; the runtime passes its capabilities on with `/info`. */
class HoldpointAgent extends HttpAgent {
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
  new HoldpointAgent({ url: `${url}/agents/${encodeURIComponent(agentId)}/run`, agentId, headers });

/**
 * All agents that Holdpoint has. The runtime asks for them with every request, so a new one needs no restart.
 * @param {{ url: string, headers: Record<string, string> }} holdpoint
 */
export async function agentsOf(holdpoint) {
  const response = await fetch(`${holdpoint.url}/agents`, { headers: holdpoint.headers });
  if (!response.ok) throw new Error(`Holdpoint answered ${response.status} for its agents`);
  const { items } = await response.json();
  const agents = items.map(({ name, capabilities }) => [
    name,
    Object.assign(agentOf(holdpoint, name), { capabilities }),
  ]);
  return Object.fromEntries(agents);
}

/**
 * A page that was reloaded asks the runtime for its conversation. The runtime's own runner knows only the runs of
 * its own process; Holdpoint knows all of them, and which questions are still open.
 */
export class HoldpointRunner extends InMemoryAgentRunner {
  /** @param {{ url: string, headers: Record<string, string> }} holdpoint */
  constructor(holdpoint) {
    super();
    this.holdpoint = holdpoint;
  }

  connect({ threadId, agentId }) {
    const forwardedProps = { a2a: { subscribeOnly: true } };
    const input = { threadId, runId: randomUUID(), messages: [], state: {}, tools: [], context: [], forwardedProps };
    return agentOf(this.holdpoint, agentId).run(input);
  }
}
