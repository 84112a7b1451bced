// A chat with one agent: `/?agent=<name>&thread=<id>`. Its questions appear inside the conversation.
import { CopilotChat, CopilotKitProvider, useAgentContext } from '@copilotkit/react-core/v2';
import '@copilotkit/react-core/v2/styles.css';
import { createRoot } from 'react-dom/client';
import './page.css';
import { Questions } from './questions.jsx';

const address = new URL(location.href);
const agentId = address.searchParams.get('agent') ?? 'expenses';
const threadId = address.searchParams.get('thread') ?? crypto.randomUUID();
// In the address the thread survives a reload, and an open question with it.
address.searchParams.set('agent', agentId);
address.searchParams.set('thread', threadId);
history.replaceState(null, '', address);

/** What the agent should know of the person; Standfast hands it on as metadata of each message (`agui_context`). */
function AboutThePerson() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  useAgentContext({ description: 'Time zone of the person', value: timeZone });
  return null;
}

createRoot(document.getElementById('app')).render(
  <CopilotKitProvider runtimeUrl="/api/copilotkit" showDevConsole={false} enableInspector={false}>
    <AboutThePerson />
    <Questions agentId={agentId} />
    <CopilotChat agentId={agentId} threadId={threadId} />
  </CopilotKitProvider>,
);
