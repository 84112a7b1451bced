// A question of a server that is not Standfast's: by which form it is answered, and the answer as that server wants it; pure.
import { type Dict, dictOf, isDict } from '../hold/values/dict.ts';
import { strings } from '../i18n/strings.ts';

/** An AG-UI `Interrupt` as it came. */
export interface Foreign {
  id: string;
  reason: string;
  message: string;
  toolCallId: string | null;
  schema: Dict;
  /** An answer that is not an object is the value of this field of the form; null: the form is the answer. */
  inField: string | null;
  /** From then on no answer is sent; null: it may be sent at any time. */
  expiresAt: number | null;
  metadata: Dict;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function foreignOf(interrupt: Dict): Foreign {
  const { toolCallId, expiresAt, responseSchema } = interrupt;
  const reason = textOf(interrupt['reason']);
  const asked = isDict(responseSchema) ? responseSchema : usual(reason);
  const isForm = asked['type'] === undefined || asked['type'] === 'object';
  const until = Date.parse(textOf(expiresAt));
  return {
    id: textOf(interrupt['id']),
    reason,
    message: textOf(interrupt['message']),
    toolCallId: typeof toolCallId === 'string' ? toolCallId : null,
    schema: isForm ? asked : inForm(asked),
    inField: isForm ? null : field,
    // One that cannot be read is none: the server judges alone.
    expiresAt: Number.isNaN(until) ? null : until,
    metadata: dictOf(interrupt['metadata']),
  };
}

/** What is asked where the server says nothing of it (AG-UI, "Reason taxonomy"); any other reason takes words. */
function usual(reason: string): Dict {
  if (reason === 'confirmation') return { type: 'boolean' };
  if (reason !== 'tool_call') return { type: 'string', minLength: 1 };
  const approved = { type: 'boolean', title: strings.hold.approve };
  return { type: 'object', properties: { approved }, required: ['approved'] };
}

const field = 'answer';

/** Its references begin at its root, which is the form's now. */
function inForm({ $defs, definitions, ...asked }: Dict): Dict {
  const title = textOf(asked['title']) || strings.chat.answer;
  return {
    type: 'object',
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
    properties: { [field]: { ...asked, title } },
    required: [field],
  };
}

export const payloadOf = ({ inField }: Foreign, values: Dict): unknown => (inField === null ? values : values[inField]);

export const isLate = ({ expiresAt }: Foreign, now: number): boolean => expiresAt !== null && expiresAt <= now;

/** Its own title; that of an answer that is not an object names its field. */
export const titleOf = ({ schema, inField }: Foreign): string => (inField === null ? textOf(schema['title']) : '');
