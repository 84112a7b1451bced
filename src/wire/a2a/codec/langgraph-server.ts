// LangGraph Server (langgraph-api 0.16): what its A2A endpoint leaves out of a task, and what it adds of its own.
import type { A2aTaskId } from '../../../contract/base/id-types.ts';
import type { KeptCard } from '../../../contract/tasks/agent-card.ts';
import type { NeutralArtifact, NeutralPart, TurnEvent } from '../../../contract/tasks/turn.ts';
import { isObject } from '../../../core/base/json.ts';
import { cleanJson, eventBudget, isRecord } from './clean.ts';
import { keepOriginalOf } from './original.ts';

const extensions = 'https://langchain.com/a2a/extensions/';

export const isLangGraphServer = ({ capabilities, skills }: Pick<KeptCard, 'capabilities' | 'skills'>): boolean =>
  capabilities.extensions.some(({ uri }) => uri.startsWith(extensions)) ||
  skills.some(({ id, tags }) => id.endsWith('-main') && tags.includes('langgraph'));

/** What to use in the place of a server's own address, by what it answers there; null: it is no such server. */
export const assistantAddress = (origin: string, answer: string): string | null =>
  answer.includes('assistant_id') || answer.includes('assistant ID')
    ? `a LangGraph server: use ${origin}/a2a/<assistant id>, the id as a UUID`
    : null;

/** It refuses a request for more. */
export const maxLangGraphHistory = 10;

/** Text that GetTask puts in the place of a status message. */
const artificialEnd = 'Task completed successfully';

/** The event without the status message that the server makes up. */
export function withoutArtificialEnd(event: TurnEvent): TurnEvent {
  if (event.type !== 'task' || event.state !== 'completed' || event.message?.parts.length !== 1) return event;
  const [part] = event.message.parts;
  if (part?.kind !== 'text' || part.text !== artificialEnd) return event;
  return keepOriginalOf(event, { ...event, message: null });
}

/** True for a pause that does not say what it waits for, which the server names once, in its stream; and for an end. */
export function mayLeaveOut(event: TurnEvent): event is Extract<TurnEvent, { type: 'task' | 'status' }> {
  if (event.type !== 'task' && event.type !== 'status') return false;
  return event.state === 'completed' || (event.state === 'input-required' && event.message === null);
}

/** The thread's open interrupts as the artifact that the stream would have sent; null when there are none. */
export function interruptsOf(state: unknown, a2aTaskId: A2aTaskId): NeutralArtifact | null {
  const found = isRecord(state) && Array.isArray(state['interrupts']) ? state['interrupts'] : [];
  const budget = eventBudget();
  const parts = found.flatMap((one: unknown): NeutralPart[] => {
    const copy = cleanJson(one, budget);
    if (copy === null || !isObject(copy.json)) return [];
    const { id, value, response_schema } = copy.json;
    if (id === undefined || value === undefined) return [];
    const data = { id, value, ...(response_schema === undefined ? {} : { response_schema }) };
    return [{ kind: 'data', data, metadata: {} }];
  });
  if (parts.length === 0) return null;
  const named = { name: 'Interrupt', description: '', metadata: {} };
  return { artifactId: `interrupts:${a2aTaskId}`, parts, ...named, isQuestion: true };
}
