import type { NeutralPart } from '../../../contract/tasks/turn.ts';

const marks = ['adk_thought', 'kagent_thought', 'thought'];

/** A text part that is the model's thinking: shown as reasoning, and never a part of the answer. */
export function isReasoning(part: NeutralPart): boolean {
  return part.kind === 'text' && marks.some((mark) => part.metadata[mark] === true);
}
