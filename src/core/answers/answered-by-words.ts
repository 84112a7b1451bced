// Whether an agent that waits takes any words for its answer.
import type { DialectName, Question } from '../../contract/holds/question.ts';
import { ownEntry } from '../base/own-entry.ts';

/** By dialect: whether agents that wait for an answer to it take any words for one, as Mastra and LangGraph resume with a text. */
const takesWords: Record<DialectName, boolean> = {
  'a2a.hitl.form': false,
  'a2a.input.request': false,
  adk: false,
  'kagent.hitl': false,
  langchain: true,
  // It refuses words while it waits.
  strands: false,
  agentstack: false,
  mastra: true,
  value: true,
  auth: true,
  plain: true,
};

/**
 * Whether its agent may take words for the answer, whatever they say and by anybody: nothing but an answer goes to it then. A dialect that
 * is not known takes them.
 */
export const isAnsweredByWords = ({ kind, dialect }: Pick<Question, 'kind' | 'dialect'>): boolean =>
  kind === 'text' || (ownEntry(takesWords, dialect) ?? true);
