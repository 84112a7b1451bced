// How a run failed, by its code, and what a refusal says; pure.
import { ownEntry } from '../../../../src/core/base/own-entry.ts';
import { ApiError } from '../../base/live/api-error.ts';
import { oneLine, visible } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { codeWords } from './code-words.ts';

const errors = strings.errors;

/** What an agent did, or did not do, by its code; null for what is not an agent's doing. */
export function agentProblem(code: string, agent: string, message: string): string | null {
  switch (code) {
    case 'agent_unreachable':
      return errors.agent_unreachable(agent);
    case 'agent_silent':
      return errors.agent_silent(agent, errors.aLongTime);
    case 'agent_failed':
      // The sentence around it has its own full stop.
      return errors.agent_failed(
        agent,
        visible(message)
          .slice(0, 300)
          .replace(/[.\s]+$/u, ''),
      );
    case 'agent_rejected':
      return errors.agent_rejected(agent);
    case 'delivery_unknown':
      return errors.delivery_unknown(agent);
    case 'hold_expired':
      return errors.hold_expired;
    default:
      return null;
  }
}

/** Why a task failed, on one line; with its code where only that says what it is. */
export function failureWords({ code, message }: { code: string; message: string }, agent: string): string {
  const text = oneLine(message, 160);
  return agentProblem(code, agent, text) ?? `${code}: ${text}`;
}

/** Codes whose words are others than at a question. */
const ofRuns: Readonly<Record<string, () => string>> = {
  interrupts_not_covered: () => errors.interrupts_not_covered(1),
  interrupt_expired: () => errors.interrupt_expired_unknown,
  hold_closed: () => errors.hold_closed_unknown,
  worker_unavailable: () => strings.chat.engine,
  engine_unavailable: () => strings.chat.engine,
  store_unavailable: () => strings.chat.engine,
  decision_not_confirmed: () => strings.chat.engine,
  busy: () => strings.chat.busy,
  rate_limited: () => strings.chat.busy,
  forbidden: () => strings.chat.othersThread,
  not_allowed_to_decide: () => errors.not_allowed_to_decide(''),
  payload_invalid: () => errors.payload_invalid(1),
  too_large: () => errors.too_large_unknown,
  input_invalid: () => strings.chat.failed,
  internal: () => strings.chat.failed,
};

export function describeProblem({ code, message }: { code: string; message: string }, agent: string): string {
  const ofRun = ownEntry(ofRuns, code);
  if (ofRun !== undefined) return ofRun();
  if (code === 'not_found') return strings.chat.noAgent(agent);
  const text = message === '' ? strings.chat.failed : `${strings.chat.failed} ${visible(message).slice(0, 300)}`;
  return agentProblem(code, agent, message) ?? codeWords(code) ?? text;
}

/** What the server says of a refusal, else that nothing is known of it. */
export const refusalWords = (error: unknown): string =>
  error instanceof ApiError && error.detail !== '' ? visible(error.detail) : errors.unknownRead(errors.noReference);
