/* global STANDFAST_URL -- set by server.js */
// Which agent and which thread: `?agent=<name>&thread=<id>`. In the address the thread survives a reload.
const address = new URL(location.href);
export const agentId = address.searchParams.get('agent') ?? 'expenses';
export const threadId = address.searchParams.get('thread') ?? crypto.randomUUID();
address.searchParams.set('agent', agentId);
address.searchParams.set('thread', threadId);
history.replaceState(null, '', address);

export const runUrl = `${STANDFAST_URL}/agents/${encodeURIComponent(agentId)}/run`;
