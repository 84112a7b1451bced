// Delivered: what people gave reaches its agent. Only the agent's own word, or an operator, ends it otherwise.
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import type { TurnSend } from '../../contract/tasks/turn.ts';

/** Whether the turn carries what people gave: it is kept for as long as its agent is away. */
export const carriesAnswers = ({ kind }: TurnSend): boolean => kind === 'answers';

/** Codes with which a turn fails by what its agent reported. */
const agentsCodes = ['agent_failed', 'agent_rejected'];

/** Whether a turn that failed so did by the agent's own word. */
export const isAgentsWord = (code: string): boolean => agentsCodes.includes(code);

/** HTTP answers of a proxy before the agent, or of a server that does not have it now: the way is closed. */
const closedWays: readonly (number | undefined)[] = [401, 403, 404, 407, 421];

/** The request met a closed way, and nothing of it reached the agent: no word of its own, however final it is. */
export function isClosedWay({ what, status, wasTaken }: A2aErrorInfo): boolean {
  if (wasTaken !== false) return false;
  return ['policy', 'token', 'card', 'no-binding'].includes(what) || (what === 'http' && closedWays.includes(status));
}

/** How soon an agent that is away is tried again, and how long at most. */
export interface AwayBounds {
  firstMs: number;
  maxMs: number;
}

const partOfOutage = 6;

/** Until the next try: the longer the agent has been away, the longer. */
export const untilNextTryMs = (awayMs: number, { firstMs, maxMs }: AwayBounds): number =>
  Math.round(Math.min(Math.max(awayMs / partOfOutage, firstMs), maxMs));
