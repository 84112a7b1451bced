import type { Question } from '../contract/form.ts';

/** The question operators are asked when it cannot be known whether the agent acted on a message. */
export function doubtQuestion(agent: string, what: string): Question {
  return {
    dialect: 'operator',
    kind: 'operator',
    idPrefix: 'doubt',
    activityType: 'OPERATOR',
    formId: null,
    title: `Did ${agent} act on the message?`,
    message: `We do not know whether ${agent} acted on our message (${what}). Sending again may make it act twice; giving up fails the task.`,
    schema: {
      type: 'object',
      properties: {
        choice: {
          title: 'What to do',
          oneOf: [
            { const: 'send_again', title: 'Send again (may act twice)' },
            { const: 'give_up', title: 'Give up (the task fails)' },
          ],
        },
      },
      required: ['choice'],
      additionalProperties: false,
    },
    defaults: {},
    form: null,
    errors: {},
    tool: null,
    links: [],
    secrets: [],
    reply: {},
  };
}
