import type { Question } from '../../contract/holds/question.ts';
import { askAgent } from '../base/ids.ts';
import { plainFields } from './plain-fields.ts';

/** An operator's choices, by the value that is sent. */
interface Choice {
  const: 'send_again' | 'give_up' | 'try_again';
  title: string;
}

function operatorQuestion(title: string, message: string, choices: Choice[]): Question {
  return {
    dialect: 'operator',
    kind: 'operator',
    ...plainFields(),
    title,
    hasOwnTitle: true,
    message,
    schema: {
      type: 'object',
      properties: { choice: { title: 'What to do', oneOf: choices.map((choice) => ({ ...choice })) } },
      required: ['choice'],
      additionalProperties: false,
    },
  };
}

const giveUp: Choice = { const: 'give_up', title: 'Give up (the task fails)' };

/** The question operators are asked when it cannot be known whether the agent acted on a message. */
const deliveryUnknownQuestion = (agent: string, what: string): Question =>
  operatorQuestion(
    `Did ${agent} act on the message?`,
    `We do not know whether ${agent} acted on our message (${what}). Sending again may make it act twice; giving up fails the task.`,
    [{ const: 'send_again', title: 'Send again (may act twice)' }, giveUp],
  );

/** The same of a call that a gate held: `what` says of which, and why. */
const callUnconfirmedQuestion = (what: string): Question =>
  operatorQuestion(
    'Was an approved call carried out?',
    `We do not know whether its server carried out a call that people approved (${what}). Making it again may do it twice; giving up fails it, and its client reads so.`,
    [{ const: 'send_again', title: 'Make it again (may do it twice)' }, giveUp],
  );

/** What operators are asked of a message or call that is unconfirmed. */
export const unconfirmedQuestion = (agent: string, what: string): Question =>
  agent === askAgent ? callUnconfirmedQuestion(what) : deliveryUnknownQuestion(agent, what);

/** What they are asked when what people answered cannot be brought to the agent: it is away for longer than its task may take. */
export const agentAwayQuestion = (agent: string, { since, why }: { since: string; why: string }): Question =>
  operatorQuestion(
    `What people answered has not reached ${agent}`,
    `${agent} has been away since ${since} (${why}). The answers are kept. Try again: nothing is sent twice, and the task’s limits begin again. Or give up: the task fails, and the answers are not sent.`,
    [{ const: 'try_again', title: 'Try again' }, giveUp],
  );

/** What they are asked when the agent was taken out of the configuration while its task goes on. */
export const agentGoneQuestion = (agent: string): Question =>
  operatorQuestion(
    `${agent} is not in the configuration any more`,
    `The task cannot go on without ${agent}. Put it back into the configuration, restart the worker and try again: nothing is sent twice. Or give up: the task fails.`,
    [{ const: 'try_again', title: 'Try again (the agent is back)' }, giveUp],
  );
