import type { HoldKind, Question } from '../../../contract/holds/question.ts';
import type { HoldId } from '../../../contract/base/id-types.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { contentPath, holdUrl } from '../../../core/base/page-url.ts';
import { shownWhole } from '../../../core/consent/whole.ts';
import { shownCallOf } from './bound-call.ts';
import { nextStepJson, votesJson, type HoldNames } from './cards.ts';

const reasons: Record<Exclude<HoldKind, 'operator'>, string> = {
  form: 'input_required',
  text: 'input_required',
  confirmation: 'confirmation',
  tool_call: 'tool_call',
  authorization: 'standfast:auth_required',
};

/** What the interrupts of a thread are built from. */
export interface HoldSource extends HoldNames {
  /** Base URL of Standfast's pages. */
  publicUrl: string;
  /** True when the reader may decide the hold. */
  mayDecide: (hold: Hold) => boolean;
}

/** A hold with its card, which has the id of the emitted tool call. */
type AskedHold = Hold & { card?: JsonObject };

const toolCallIdOf = (hold: AskedHold): string | null => shownCallOf({ ...hold, card: hold.card ?? {} });

/** Optional parts of a question that a front end needs to render it. */
function extrasOf(question: Question, holdId: HoldId): JsonObject {
  const { defaults, errors, tool, links, secrets, digits = [] } = question;
  const extras: JsonObject = {};
  const whole = shownWhole(question);
  // Its message and arguments are beginnings and ends: a front end that decides shows what is at these addresses.
  if (whole.length > 0)
    extras['whole'] = whole.map(({ at, digest, bytes, omitted }) => ({
      at,
      digest,
      bytes,
      url: omitted === undefined ? contentPath(holdId, digest) : null,
    }));
  if (digits.length > 0) extras['digits'] = [...digits];
  if (Object.keys(defaults).length > 0) extras['defaults'] = defaults;
  if (Object.keys(errors).length > 0) extras['errors'] = errors;
  if (tool !== null) extras['tool'] = { ...tool };
  if (links.length > 0) extras['links'] = links;
  if (secrets.length > 0) extras['secrets'] = secrets;
  return extras;
}

/**
 * The schema under the question's title. Questions of one pause share its message, and most front ends draw nothing of an
 * interrupt but its message and its schema: without the title they all look alike.
 */
const titledSchema = ({ schema, title }: Question): JsonObject => (title === '' ? schema : { ...schema, title });

/** The hold as an AG-UI `Interrupt`; null for operator holds, which are never interrupts. */
export function interruptOf(hold: AskedHold, source: HoldSource): JsonObject | null {
  const { question } = hold;
  if (question.kind === 'operator') return null;
  const message = question.message === '' ? question.title : question.message;
  const toolCallId = toolCallIdOf(hold);
  const interrupt: JsonObject = {
    id: hold.interruptId,
    reason: reasons[question.kind],
    responseSchema: titledSchema(question),
    metadata: {
      standfast: {
        holdId: hold.holdId,
        taskId: source.taskId,
        a2aTaskId: source.a2aTaskId,
        contextId: source.contextId,
        formId: question.formId,
        dialect: question.dialect,
        form: question.form,
        digest: hold.digest,
        audience: hold.audience,
        mayDecide: source.mayDecide(hold),
        nextStep: nextStepJson(hold.nextStep),
        votes: votesJson(hold),
        supersedes: hold.supersedes,
        url: holdUrl(source.publicUrl, hold.holdId),
        ...extrasOf(question, hold.holdId),
      },
    },
  };
  if (message !== '') interrupt['message'] = message;
  if (toolCallId !== null) interrupt['toolCallId'] = toolCallId;
  if (hold.expiresAt !== null) interrupt['expiresAt'] = hold.expiresAt;
  return interrupt;
}

/** All open holds as AG-UI interrupts, in order. */
export function openInterrupts(holds: readonly AskedHold[], source: HoldSource): JsonObject[] {
  return holds
    .filter((hold) => hold.status === 'open')
    .toSorted((a, b) => a.n - b.n)
    .map((hold) => interruptOf(hold, source))
    .filter((interrupt) => interrupt !== null);
}
