// What the demo agent says. All it knows of a task is the task's stored history, so it may be killed at any time.
//
//   claim ──▶ text, form ──▶ answer ──▶ text, receipt, completed
//                  ▲───────── bad answer, or anything else
//   "no form" ──▶ a plain question ──▶ text ──▶ receipt, completed
//   "just hello" ──▶ a message, no task

import { Role } from '@a2a-js/sdk';
import { wordPieces } from '../turn.js';
import { amountIn, checkExpense, expenseForm } from './expense-form.js';

/** @param {{ chunkDelayMs: number }} options @returns {import('../serve-agent.js').Play} */
export function createExpensesPlay({ chunkDelayMs }) {
  const say = (turn, artifactId, text) => turn.streamText(artifactId, wordPieces(text), { delayMs: chunkDelayMs });

  return async (turn, ctx) => {
    const history = ctx.task?.history ?? [];
    const claim = textOf(history.find((message) => message.role === Role.ROLE_USER) ?? ctx.userMessage);
    if (ctx.task === undefined && /just hello/i.test(claim)) return turn.reply('Hello. Tell me what you paid for.');
    turn.open();
    turn.status('TASK_STATE_WORKING');
    const asked = lastQuestion(history);
    if (/no form/i.test(claim)) {
      if (!asked) return turn.status('TASK_STATE_INPUT_REQUIRED', [{ text: 'What is the purpose?' }]);
      const purpose = textOf(ctx.userMessage);
      return finish(turn, say, { amount: amountIn(claim), purpose, approve: true, claim });
    }
    const form = { formId: `expense-${ctx.taskId}`, claim, amount: amountIn(claim) };
    if (!asked) {
      await say(turn, 'reply', opening(form.amount));
      return ask(turn, 'Please check the claim, fill in what is missing, and approve or decline it.', form);
    }
    const answer = answerIn(ctx.userMessage, form.formId);
    if (!answer) return ask(turn, 'I can go on once the form is answered.', form);
    const errors = checkExpense(answer);
    if (Object.keys(errors).length > 0) {
      return ask(turn, 'Some of that does not fit yet; please look at it again.', { ...form, errors, values: answer });
    }
    return finish(turn, say, { ...answer, claim });
  };
}

function opening(amount) {
  const sum = amount === null ? 'no amount was named' : `the amount is ${amount.toFixed(2)} EUR`;
  return (
    `Thank you, I have read your claim: ${sum}. Our rules ask for a cost centre, a purpose and the word of ` +
    'somebody who may approve it; I go on as soon as I have them.'
  );
}

function ask(turn, text, form) {
  turn.status('TASK_STATE_INPUT_REQUIRED', [{ text }, { data: expenseForm(form) }]);
}

async function finish(turn, say, { amount = null, costCentre = null, purpose = null, reason = null, approve, claim }) {
  const sum = typeof amount === 'number' ? `${amount.toFixed(2)} EUR` : 'the expense';
  const why = typeof reason === 'string' && reason.trim() !== '' ? ` ("${reason.trim()}")` : '';
  await say(
    turn,
    'outcome',
    approve
      ? `Approved: ${sum} for "${purpose}". The receipt is attached and the money is on its way.`
      : `Declined: ${sum}${why}. Nothing will be paid out.`,
  );
  const status = approve ? 'approved' : 'declined';
  turn.artifact({
    artifactId: 'receipt',
    name: 'receipt',
    description: 'What was decided about the claim',
    parts: [{ data: { claim, amount, currency: 'EUR', costCentre, purpose, reason, status } }],
  });
  turn.status('TASK_STATE_COMPLETED', [{ text: approve ? 'The expense is booked.' : 'The expense was declined.' }]);
}

/** The agent's last question before the message being answered. */
function lastQuestion(history) {
  return history.findLast((message) => message.role === Role.ROLE_AGENT);
}

function answerIn(message, formId) {
  const data = message.parts.map((part) => (part.content?.$case === 'data' ? part.content.value : null));
  const found = data.find((value) => value?.type === 'a2a.hitl.formResponse' && value.formId === formId);
  return found ? (found.values ?? {}) : null;
}

function textOf(message) {
  const texts = message.parts.map((part) => (part.content?.$case === 'text' ? part.content.value : ''));
  return texts.join(' ').trim();
}
