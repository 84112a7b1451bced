// Whether the call that is asked about is known: an approval of one that is not would be an approval of anything.
import type { Question } from '../../contract/holds/question.ts';
import { objectOf } from '../base/json.ts';
import { yesNoFieldOf } from './verdict.ts';

/** The name of a call that its agent named by an id alone, and sent nowhere. */
export const unknownTool = 'unknown_tool';

/** True where a question is about a call whose tool is not known. */
export const isUnknownCall = ({ tool }: Pick<Question, 'tool'>): boolean => tool?.name === unknownTool;

/**
 * The question about a call that was sent nowhere: people read what is missing, and can refuse it or ask the agent. No
 * answer that says yes fits its schema, whatever it comes through.
 */
export function withUnknownCall(question: Question): Question {
  const { tool, schema, message } = question;
  if (tool === null) return question;
  const field = yesNoFieldOf(question) ?? 'approved';
  const { default: _proposed, ...property } = objectOf(objectOf(schema['properties'])[field]);
  const { decisionField: _named, ...rest } = question;
  return {
    ...rest,
    decisionField: field,
    tool: { ...tool, name: unknownTool, isEditable: false },
    message: [message, missing(tool.callId)].filter((text) => text.trim() !== '').join('\n\n'),
    schema: {
      type: 'object',
      properties: { [field]: { ...property, type: 'boolean', const: false } },
      required: [field],
      additionalProperties: false,
    },
    defaults: {},
    // Drawn by a front end of its own, the agent's form would offer what is not offered here.
    form: null,
  };
}

const missing = (callId: string): string =>
  `(The agent asks about its call "${callId}", and did not say which tool that is. So it cannot be approved here: refuse it, or ask the agent for the call.)`;
