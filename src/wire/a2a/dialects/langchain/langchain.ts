import { objectOf } from '../../../../core/base/json.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  maxQuestions,
  type Pause,
  messageText,
} from '../base/dialect.ts';
import { type Form, readRequest, type Request, writeAnswer } from './request.ts';
import { type Decision, decisionOf, nameOf, questionOf } from './review.ts';

/**
 * LangChain and LangGraph agents (docs/wire.md): what a graph pauses for is a data part, and each call in it that needs
 * review is a question. The answer has the shape of the graph's `Command(resume=…)` value.
 */
export const langchainDialect: Dialect = { name: 'langchain', detect, encode, canRefuse };

function detect({ message }: Pause): Detected {
  const requests: Request[] = [];
  for (const part of message?.parts ?? []) {
    const request = part.kind === 'data' ? readRequest(part.data) : null;
    if (typeof request === 'string') return { result: 'invalid', why: request };
    if (request !== null) requests.push(request);
  }
  if (requests.length === 0) return { result: 'not-in-dialect' };
  const questions = requests.flatMap(({ form, id, reviews }, part) =>
    reviews.map((review, at) => questionOf(review, messageText(message), { part, at, of: reviews.length, form, id })),
  );
  if (questions.length > maxQuestions)
    return { result: 'invalid', why: `it asks about ${questions.length} calls, and at most ${maxQuestions} fit` };
  return { result: 'ok', questions };
}

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  const lines: string[] = [];
  const byId: JsonObject = {};
  for (const group of byPart(answers)) {
    const written = write(group);
    if ('why' in written) return { result: 'cannot-carry', why: written.why };
    lines.push(...written.lines);
    if (written.id === null) parts.push({ kind: 'data', data: written.data, metadata: {} });
    else byId[written.id] = written.data;
  }
  if (Object.keys(byId).length > 0) parts.push({ kind: 'data', data: byId, metadata: {} });
  return { result: 'ok', text: lines.join('\n'), parts, metadata: {}, extensions: [] };
}

type Written = { id: string | null; data: Json; lines: string[] } | { why: string };

/** The answer to one request: one decision per reviewed call, in order. */
function write(group: Answered[]): Written {
  const inOrder = group.toSorted((a, b) => Number(a.question.reply['at']) - Number(b.question.reply['at']));
  const { of, form, id } = objectOf(inOrder[0]?.question.reply);
  if (of !== group.length) return { why: `the agent waits for ${String(of)} decisions, and ${group.length} were made` };
  const decisions: Decision[] = [];
  for (const answered of inOrder) {
    const decision = decisionOf(answered);
    if (typeof decision === 'string') return { why: decision };
    decisions.push(decision);
  }
  const lines = decisions.map((decision, index) => line(decision, inOrder[index]?.question));
  return { id: typeof id === 'string' ? id : null, data: writeAnswer(asForm(form), decisions), lines };
}

const asForm = (form: Json | undefined): Form =>
  form === 'decision' || form === 'response' || form === 'responses' ? form : 'decisions';

function byPart(answers: readonly Answered[]): Answered[][] {
  const groups = new Map<Json, Answered[]>();
  for (const answered of answers) {
    const part = answered.question.reply['part'] ?? 0;
    groups.set(part, [...(groups.get(part) ?? []), answered]);
  }
  return [...groups.values()];
}

/** A decision as a line of the conversation. */
function line(decision: Decision, question: Question | undefined): string {
  const name = question === undefined ? 'the call' : nameOf(question);
  switch (decision.type) {
    case 'approve':
      return `${name}: approved`;
    case 'edit':
      return `${name}: approved with other arguments`;
    case 'reject':
      return `${name}: rejected${decision.message === '' ? '' : ` (${decision.message})`}`;
    case 'respond':
      return `${name}: ${decision.message}`;
    default:
      return decision satisfies never;
  }
}

function canRefuse({ reply }: Question): boolean {
  return Array.isArray(reply['allowed']) && reply['allowed'].includes('reject');
}
