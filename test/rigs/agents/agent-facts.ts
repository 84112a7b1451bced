// What the fake agent's ledger proves.
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { FakeAgent, LedgerEntry } from './agent.ts';

/** Times one of our messages truly reached the agent. */
export async function arrivalsOf(agent: FakeAgent, messageId: string): Promise<LedgerEntry[]> {
  return (await agent.messages()).filter((entry) => entry.messageId === messageId);
}

/** Requests to cancel an A2A task. */
export async function cancelsOf(agent: FakeAgent, a2aTaskId: string | null): Promise<LedgerEntry[]> {
  return (await agent.ledger()).filter((entry) => entry.method === 'CancelTask' && entry.taskId === a2aTaskId);
}

/** The `a2a.hitl.formResponse` parts of a message. */
export function formAnswersOf(entry: LedgerEntry | undefined): { formId: string; values: JsonObject }[] {
  return (entry?.parts ?? []).flatMap((part) => {
    const data = (part as { data?: { type?: string; formId: string; values: JsonObject } }).data;
    return data?.type === 'a2a.hitl.formResponse' ? [data] : [];
  });
}

/** Ids of the messages that the agent was sent, answered or not. */
export const sendsTo = async (agent: FakeAgent): Promise<string[]> =>
  (await agent.ledger())
    .filter(({ method }) => method === 'SendMessage' || method === 'SendStreamingMessage')
    .map(({ messageId }) => messageId ?? '');
