// What went wrong, and what now; the facts come from the problem.
import { define } from '../define.ts';

export const errors = /* @__PURE__ */ define('errors', {
  hold_closed: (who: string, what: string, at: string): string =>
    `${who} already ${what} this at ${at}. Your answer was not sent.`,
  hold_closed_expired: (at: string): string => `This ended at ${at}: no answer came in time. Your answer was not sent.`,
  hold_closed_withdrawn: 'The agent took this question back. Your answer was not sent.',
  hold_closed_with: 'This ended with the other question of its task. Your answer was not sent.',
  hold_closed_superseded: 'The agent asked again. Your answer was not sent.',
  hold_closed_cancelled: 'The task was cancelled. Your answer was not sent.',
  hold_closed_unknown: 'This question has ended already. Your answer was not sent.',
  already_voted: 'Your vote counts already. Withdraw it first to vote otherwise.',
  interrupt_expired: (at: string, then: string): string => `Too late: this ended at ${at}, and ${then}.`,
  interrupt_expired_unknown: 'Too late: this question has ended.',
  digest_mismatch: 'This question changed while you were reading. Nothing was sent.',
  edit_under_other_policy:
    'Edited like this, the call needs other people’s decision. Nothing was sent; with one question, it is asked again with your edit.',
  changed_meanwhile:
    'This question, or your answer to it, is not as it was when you saw it. Nothing was sent; reload it and read it again.',
  hold_damaged:
    'The stored question cannot be read, or is not the one that was asked. Nothing was sent. Tell an operator, who can cancel its task.',
  digest_required: 'This page did not report what it showed you. Nothing was sent. Reload it and answer again.',
  passkey_required: 'This must be signed with a passkey of yours. Register one in Settings. Nothing was sent.',
  passkey_invalid: 'The signature was not accepted. Nothing was sent; answer again, and sign again.',
  passkey_stopped: 'Your browser or device stopped the signature. Nothing was sent.',
  payload_invalid: (n: number): string =>
    n === 1 ? '1 answer needs another look.' : `${n} answers need another look.`,
  not_allowed_to_decide: (audience: string): string =>
    audience === '' ? 'You can read this; others decide.' : `You can read this; ${audience} decides.`,
  forbidden: 'You may not do this here.',
  decision_not_confirmed: (wait: string): string =>
    `Not confirmed yet. Your answer may have arrived; we ask again with the same key in ${wait}. Nothing happens twice.`,
  engine: (wait: string): string =>
    `Standfast cannot reach its engine now. Your draft is safe; trying again in ${wait}.`,
  network: (wait: string): string =>
    `Not confirmed yet: the connection is gone. Trying again in ${wait} with the same key. Nothing happens twice.`,
  busy: (wait: string): string => `Many people are here at once; trying again in ${wait}.`,
  not_authenticated: 'Please sign in again; your draft is kept.',
  not_found: 'No such question, or not yours to see.',
  input_invalid: (requestId: string): string =>
    `The page sent something wrong; please reload (reference ${requestId}).`,
  too_large: (n: string, max: string, field: string): string => `Too long: ${n} of ${max}. Shorten ${field}.`,
  kib: (n: number): string => `${n} KiB`,
  too_large_unknown: 'Too long. Please shorten your answer.',
  interrupts_pending: 'Please answer the open question first.',
  interrupt_unknown: 'This question is not known any more.',
  interrupts_not_covered: (n: number): string =>
    n === 1 ? '1 more question must be answered with it.' : `${n} more questions must be answered with it.`,
  run_conflict: 'This was sent before with other content; start a new message.',
  agent_unreachable: (agent: string): string => `${agent} could not be reached for too long; the work stopped.`,
  agent_silent: (agent: string, duration: string): string =>
    `${agent} has not responded for ${duration}; the task ended.`,
  agent_failed: (agent: string, message: string): string =>
    message === '' ? `${agent} failed.` : `${agent} failed: “${message}”.`,
  agent_rejected: (agent: string): string => `${agent} refused the task.`,
  delivery_unknown: (agent: string): string => `An operator must check whether ${agent} got the message.`,
  hold_expired: 'No answer came in time.',
  unknown: (requestId: string): string =>
    `Something went wrong on our side; we do not know yet whether your answer arrived. Reference ${requestId}.`,
  unknownRead: (requestId: string): string => `Something went wrong on our side. Reference ${requestId}.`,
  noReference: 'none',
  aLongTime: 'a long time',
  actions: {
    refresh: 'Refresh',
    checkNow: 'Check now',
  },
});
