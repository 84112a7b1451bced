import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import { isObject, objectOf, stringOf } from '../../../../core/base/json.ts';
import { byKey } from '../base/answer-keys.ts';
import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  maxQuestions,
  type Pause,
  type ReadQuestion,
  titled,
} from '../base/dialect.ts';
import { askedValue, takesRefusal, valueOf, verdictOfValue } from '../forms/asked-value.ts';
import { textOrDataSchema } from '../plain/plain.ts';

/**
 * AWS Strands (docs/wire.md): a data part lists the interrupts that the agent waits for, `{interrupts: [{interruptId,
 * name, reason}]}`. Each is a question: a form where its reason is or has one, else words, since its code takes any value. The message of the
 * answer holds nothing but `interruptResponse` parts, because Strands refuses it with anything else in it.
 */
export const strandsDialect: Dialect = {
  name: 'strands',
  detect,
  encode,
  verdictOnWire: verdictOfValue,
  // In words, what the agent's code takes for a refusal is not known.
  canRefuse: takesRefusal,
  keyOf: ({ formId }) => (formId === null ? null : { key: formId }),
  takesLists: true,
  owns: ({ data }) => interruptsIn(data) !== null,
};

function interruptsIn(data: Json): JsonObject[] | null {
  const listed = isObject(data) ? data['interrupts'] : undefined;
  if (!Array.isArray(listed) || listed.length === 0) return null;
  return listed.every((one) => isObject(one) && typeof one['interruptId'] === 'string') ? listed.map(objectOf) : null;
}

function detect({ message }: Pause): Detected {
  const interrupts = (message?.parts ?? []).flatMap((part) =>
    part.kind === 'data' ? (interruptsIn(part.data) ?? []) : [],
  );
  if (interrupts.length === 0) return { result: 'not-in-dialect' };
  if (interrupts.length > maxQuestions)
    return { result: 'invalid', why: `it names ${interrupts.length} interrupts, and at most ${maxQuestions} fit` };
  const ids = interrupts.map((one) => stringOf(one['interruptId']));
  if (!ids.every(isAcceptableA2aId)) return { result: 'invalid', why: 'an interrupt has no usable id' };
  return { result: 'ok', questions: interrupts.map(questionOf) };
}

function questionOf({ interruptId, name, reason }: JsonObject): ReadQuestion {
  const asked = askedValue(reason ?? null, titled(name, 'The agent asks'));
  // Any reason may be answered by any value.
  const isText = asked.kind === 'text';
  return {
    ...asked,
    dialect: 'strands',
    formId: stringOf(interruptId),
    ...(isText ? { schema: textOrDataSchema() } : {}),
    reply: isText ? { takesData: true } : { ...asked.reply },
  };
}

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  for (const group of byKey(answers, ({ question }) => question.formId)) {
    const values: Json[] = [];
    for (const answered of group) {
      const read = valueOf(answered);
      if ('why' in read) return { result: 'cannot-carry', why: read.why };
      values.push(read.data);
    }
    const [value = null, ...more] = values;
    const interruptId = group[0]?.question.formId ?? '';
    const response = { interruptId, response: more.length === 0 ? value : values };
    parts.push({ kind: 'data', data: { interruptResponse: response }, metadata: {} });
  }
  return { result: 'ok', text: null, parts, metadata: {}, extensions: [] };
}
