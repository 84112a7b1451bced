// Plans refunds from plain words, has each one approved, and executes those that were.
//
//   "refund 40 EUR to Ana, 12 EUR to Ben" ──▶ two calls, one pause ──▶ approved ones are executed, the rest is reported

import { Role } from '@a2a-js/sdk';
import { approvalsIn, askForApproval, proven } from '../guard-tools.js';

/**
 * `verify`: rejects a receipt that is not of this call; missing: the answer's word counts.
 *
 * @param {{ refund: (call: { to: string, amount: number }) => Promise<string> }} tools
 * @returns {import('../serve-agent.js').Play}
 */
export function createRefundsPlay(tools, verify) {
  return async (turn, ctx) => {
    const history = ctx.task?.history ?? [];
    const first = history.find((message) => message.role === Role.ROLE_USER) ?? ctx.userMessage;
    const calls = plan(textOf(first), ctx.taskId);
    turn.open();
    turn.status('TASK_STATE_WORKING');
    if (calls.length === 0) {
      return turn.status('TASK_STATE_COMPLETED', [{ text: 'I found nothing to refund in that.' }]);
    }
    const claimed = ctx.task === undefined ? null : approvalsIn(ctx.userMessage, calls);
    if (claimed === null) {
      return askForApproval(turn, calls, 'A refund cannot be taken back. May I pay these?');
    }
    const approvals = verify === undefined ? claimed : await proven(ctx.userMessage, calls, claimed, verify);
    const done = [];
    for (const { id, args } of calls) {
      const { approved, reason } = approvals.get(id) ?? { approved: false, reason: '' };
      done.push({
        ...args,
        result: approved ? await tools.refund(args) : `not paid${reason === '' ? '' : `: ${reason}`}`,
      });
    }
    turn.artifact({ artifactId: 'refunds', name: 'refunds', parts: [{ data: { refunds: done } }] });
    const paid = done.filter(({ result }) => result.startsWith('paid')).length;
    turn.status('TASK_STATE_COMPLETED', [{ text: `${paid} of ${done.length} refunds were paid.` }]);
  };
}

/** Ids come from the task, so that a turn played again plans the same calls. */
function plan(text, taskId) {
  return [...text.matchAll(/(\d+(?:\.\d{1,2})?)\s*(?:EUR|€)\s+to\s+(\w+)/gi)].map(([, amount, to], index) => ({
    id: `${taskId}-refund-${index + 1}`,
    name: 'refund_payment',
    args: { to, amount: Number(amount) },
  }));
}

function textOf(message) {
  return message.parts.map((part) => (part.content?.$case === 'text' ? part.content.value : '')).join(' ');
}
