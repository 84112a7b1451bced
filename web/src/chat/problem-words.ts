// How a run failed, by its code; pure.
import { visible } from '../hold/text/visible.ts';
import { strings } from '../i18n/strings.ts';

const errors = strings.errors;

export function describeProblem({ code, message }: { code: string; message: string }, agent: string): string {
  switch (code) {
    case 'interrupts_pending':
      return errors.interrupts_pending;
    case 'interrupt_unknown':
      return errors.interrupt_unknown;
    case 'interrupts_not_covered':
      return errors.interrupts_not_covered(1);
    case 'run_conflict':
      return errors.run_conflict;
    case 'interrupt_expired':
      return errors.interrupt_expired_unknown;
    case 'hold_closed':
      return errors.hold_closed_unknown;
    case 'digest_mismatch':
      return errors.digest_mismatch;
    case 'digest_required':
      return errors.digest_required;
    case 'agent_unreachable':
      return errors.agent_unreachable(agent);
    case 'agent_silent':
      return errors.agent_silent(agent, errors.aLongTime);
    case 'agent_failed':
      return errors.agent_failed(agent, visible(message).slice(0, 300));
    case 'agent_rejected':
      return errors.agent_rejected(agent);
    case 'send_in_doubt':
      return errors.send_in_doubt(agent);
    case 'hold_expired':
      return errors.hold_expired;
    case 'task_canceled':
      return strings.chat.cancelled;
    case 'worker_unavailable':
    case 'engine_unavailable':
    case 'store_unavailable':
    case 'decision_not_confirmed':
      return strings.chat.engine;
    case 'busy':
    case 'rate_limited':
      return strings.chat.busy;
    case 'forbidden':
      return strings.chat.othersThread;
    case 'not_allowed_to_decide':
      return errors.not_allowed_to_decide('');
    case 'already_voted':
      return errors.already_voted;
    case 'payload_invalid':
      return errors.payload_invalid(1);
    case 'too_large':
      return errors.too_large_unknown;
    case 'input_invalid':
    case 'internal':
      return strings.chat.failed;
    case 'not_authenticated':
      return errors.not_authenticated;
    case 'not_found':
      return strings.chat.noAgent(agent);
    default:
      return message === '' ? strings.chat.failed : `${strings.chat.failed} ${visible(message).slice(0, 300)}`;
  }
}
