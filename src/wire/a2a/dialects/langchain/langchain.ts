import { canonicalJson, objectOf } from '../../../../core/base/json.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import {
  type Answered,
  type DataPart,
  type Detected,
  type Dialect,
  type Encoded,
  maxQuestions,
  type Pause,
  type ReadQuestion,
  messageText,
} from '../base/dialect.ts';
import { byKey } from '../base/answer-keys.ts';
import { type Form, readRequest, type Request, writeAnswer } from './request.ts';
import { type Decision, decisionOf, nameOf, questionOf } from './review.ts';
import { takesRefusal, valueOf, verdictOfValue } from '../forms/asked-value.ts';
import { askValue, type Interrupt, isInterruptArtifact, readInterrupt } from './server-interrupt.ts';

/**
 * LangChain and LangGraph agents (docs/wire.md): what a graph pauses for is a data part, of the pause's message or, from
 * LangGraph Server, of an artifact; each call in it that needs review is a question. The answer has the shape of the
 * graph's `Command(resume=…)` value.
 */
export const langchainDialect: Dialect = {
  name: 'langchain',
  detect,
  encode,
  verdictOnWire,
  canRefuse,
  owns,
  keyOf: ({ reply }) => (typeof reply['id'] === 'string' ? { key: reply['id'], group: reply['part'] } : null),
  takesLists: true,
  ownsArtifact: isInterruptArtifact,
};

/** What one part asks. */
type Asked = { request: Request } | { interrupt: Interrupt };

function detect({ message, artifacts }: Pause): Detected {
  const own = message?.parts ?? [];
  // What has an id of the graph's is answered under it, whatever it asks.
  const sent = readParts(own);
  if (typeof sent === 'string') return { result: 'invalid', why: sent };
  const read = sent.length > 0 ? sent : readServer((artifacts ?? []).flatMap((artifact) => artifact.parts));
  if (typeof read === 'string') return { result: 'invalid', why: read };
  if (read.length === 0) return { result: 'not-in-dialect' };
  const resumes = sent.length > 0 ? {} : { resumes: true };
  const text = messageText(message);
  const questions = read.flatMap((asked, part) => questionsOf(asked, text, part, resumes));
  if (questions.length > maxQuestions)
    return { result: 'invalid', why: `it asks about ${questions.length} calls, and at most ${maxQuestions} fit` };
  return { result: 'ok', questions };
}

/**
 * What the server waits for: it resumes one value by id. Its stream may send one interrupt in several artifacts; several
 * values under one id are one question, which shows them all.
 */
function readServer(parts: readonly NeutralPart[]): Asked[] | string {
  const byId = byKey(parts, (part) => interruptIn(part)?.id ?? null);
  const asked: Asked[] = [];
  for (const group of byId) {
    const distinct = [
      ...new Map(group.map((part) => [part.kind === 'data' ? canonicalJson(part.data) : '', part])).values(),
    ];
    const read = distinct.length > 1 ? sharedInterrupt(distinct) : readParts(distinct);
    if (typeof read === 'string') return read;
    asked.push(...read);
  }
  return asked;
}

function sharedInterrupt(parts: readonly NeutralPart[]): Asked[] {
  const interrupts = parts.flatMap((part) => interruptIn(part) ?? []);
  const id = interrupts[0]?.id ?? '';
  return [{ interrupt: { id, value: interrupts.map(({ value }) => value), schema: null, isShared: true } }];
}

function readParts(parts: readonly NeutralPart[]): Asked[] | string {
  const asked: Asked[] = [];
  for (const part of parts) {
    if (part.kind !== 'data') continue;
    const request = readRequest(part.data);
    const interrupt = readInterrupt(part.data);
    if (request !== null && typeof request !== 'string') asked.push({ request });
    // An interrupt may have any value: one that cannot be read as a review is asked as it is.
    else if (interrupt !== null) asked.push({ interrupt });
    else if (request !== null) return request;
  }
  return asked;
}

const interruptIn = (part: NeutralPart): Interrupt | null => (part.kind === 'data' ? readInterrupt(part.data) : null);

function questionsOf(asked: Asked, text: string, part: number, resumes: JsonObject): ReadQuestion[] {
  if ('interrupt' in asked) {
    const { interrupt } = asked;
    return [askValue(interrupt, { part, at: 0, of: 1, id: interrupt.id, ...resumes })];
  }
  const { form, id, reviews } = asked.request;
  return reviews.map((review, at) => questionOf(review, text, { part, at, of: reviews.length, form, id, ...resumes }));
}

/** A request that cannot be asked is not: it is shown with its data, and answered in words. */
function owns({ data }: DataPart): boolean {
  if (readInterrupt(data) !== null) return true;
  const request = readRequest(data);
  return request !== null && typeof request !== 'string' && request.reviews.length <= maxQuestions;
}

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  const lines: string[] = [];
  const byId = new Map<string, Json[]>();
  const isOfServer = answers.some(({ question }) => question.reply['resumes'] !== undefined);
  for (const group of byPart(answers)) {
    const written = write(group);
    if ('why' in written) return { result: 'cannot-carry', why: written.why };
    lines.push(...written.lines);
    if (written.id === null) parts.push({ kind: 'data', data: written.data, metadata: {} });
    else byId.set(written.id, [...(byId.get(written.id) ?? []), written.data]);
  }
  // Several under one id are one answer, a list: none may take the place of another.
  const resume = Object.fromEntries(
    [...byId].map(([id, all]): [string, Json] => [id, all.length > 1 ? all : (all[0] ?? null)]),
  );
  if (isOfServer) {
    // By id for one as well: a lone `{}` names no interrupt. Without text, which the server would take for the value.
    parts.push({ kind: 'data', data: { resume }, metadata: {} });
    return { result: 'ok', text: null, parts, metadata: {}, extensions: [] };
  }
  if (byId.size > 0) parts.push({ kind: 'data', data: resume, metadata: {} });
  const text = lines.length === 0 ? null : lines.join('\n');
  return { result: 'ok', text, parts, metadata: {}, extensions: [] };
}

const verdicts = { approve: 'yes', edit: 'yes', reject: 'no', respond: 'answered' } as const;

function verdictOnWire(answered: Answered): Verdict | null {
  const { question } = answered;
  if (question.reply['form'] === 'value') return verdictOfValue(answered);
  const decision = decisionOf(answered);
  return typeof decision === 'string' ? null : verdicts[decision.type];
}

type Written = { id: string | null; data: Json; lines: string[] } | { why: string };

/** The answer to one request: one decision per reviewed call, in order. */
function write(group: Answered[]): Written {
  const inOrder = group.toSorted((a, b) => Number(a.question.reply['at']) - Number(b.question.reply['at']));
  const { of, form, id } = objectOf(inOrder[0]?.question.reply);
  if (of !== group.length) return { why: `the agent waits for ${String(of)} decisions, and ${group.length} were made` };
  const [first] = inOrder;
  if (form === 'value' && first !== undefined) {
    const value = valueOf(first);
    return 'why' in value ? value : { id: typeof id === 'string' ? id : null, data: value.data, lines: [] };
  }
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
  form === 'camelDecisions' || form === 'decision' || form === 'response' || form === 'responses' ? form : 'decisions';

function byPart(answers: readonly Answered[]): Answered[][] {
  const groups = new Map<Json, Answered[]>();
  for (const answered of answers) {
    const part = answered.question.reply['part'] ?? 0;
    groups.set(part, [...(groups.get(part) ?? []), answered]);
  }
  return [...groups].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, group]) => group);
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

function canRefuse(question: Question): boolean {
  const { reply } = question;
  if (reply['form'] === 'value') return takesRefusal(question);
  return Array.isArray(reply['allowed']) && reply['allowed'].includes('reject');
}
