/** The Nexus service of Standfast's worker, for workflows on Temporal's TypeScript SDK: names and types, and no code. */
import type { OperationDefinition, ServiceDefinition } from 'nexus-rpc';
import type { components } from './api-types.ts';

/** What became of a question, as `POST /api/ask` answers; the operation ends once the question has. */
export type AskReply = components['schemas']['AskReply'];

interface Asked {
  /** Names the question within the asking workflow: the same again waits for the same answer. Missing: each operation asks. */
  id?: string;
  title?: string;
  /** One that the configuration lets this caller name. */
  policy?: string;
  /** How risky it is, in one line. */
  risk?: string;
  /** Why it is asked, at length. */
  reasoning?: string;
  links?: { url: string; title?: string }[];
  /** Its own deadline (`30m`); that of the operation, `scheduleToCloseTimeout`, ends it as well. */
  expireAfter?: string;
}

export interface AskInput extends Asked {
  /** What to decide, and what follows from each answer. */
  message: string;
  /** JSON Schema of the answer, type object; missing: a free text (`values.text`). */
  schema?: object;
  /** What is proposed, by field. */
  defaults?: object;
}

export interface ApproveInput extends Asked {
  /** Name of the tool, or the step, to approve. */
  tool: string;
  args?: object;
  /** People may change the arguments: call with those of the answer. */
  editable?: boolean;
  /** Why it is called. */
  why?: string;
}

type Operations = {
  ask: OperationDefinition<AskInput, AskReply>;
  approve: OperationDefinition<ApproveInput, AskReply>;
};

const names = { name: 'standfast', operations: { ask: { name: 'ask' }, approve: { name: 'approve' } } };

/** For `createNexusServiceClient({ endpoint, service })`. */
// Safe: an operation's types are marks of the compiler's alone.
export const standfast = names as unknown as ServiceDefinition<Operations>;
