// Everything that a notice about a hold may say, and what programs are sent of it.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { NoticeCause, NoticeInput } from '../../contract/tasks/activity.ts';
import { endNameOfHold } from '../answers/hold-end-name.ts';
import { shownStages, stagesLine } from '../consent/stage.ts';
import { decisionLabel } from '../consent/verdict.ts';
import { holdUrl } from '../base/page-url.ts';
import { utcTime } from '../base/utc-time.ts';
import type { NoticeOutcome, NoticeValues } from './notice.ts';
import { agentTitle, endWords, nameOf, statedText, type AskedRow } from './shown-question.ts';

interface NoticedRow extends AskedRow {
  taskId: TaskId;
  updatedAt: string;
}

type Known = Pick<Config, 'agents' | 'users'>;

const describeCause = ({ by, note }: NoticeCause): string => (note === null ? by : `${by}: ${note}`);

function formatStep({ nextStep }: NoticedRow): string {
  if (nextStep === null) return '';
  const { do: what, to, at } = nextStep;
  return `${what}${to.length === 0 ? '' : ` to ${to.join(', ')}`} at ${utcTime(at)}`;
}

/** How it ended; null while it is open. */
function outcomeOf({ status, decision, ended, question }: NoticedRow): NoticeOutcome | null {
  if (status === 'open') return null;
  const why = ended?.why;
  if (why === 'expired' || why === 'superseded') return why;
  if (decision !== null) return decisionLabel({ question, decision });
  if (why === 'withdrawn' || status === 'withdrawn') return 'withdrawn';
  return status === 'expired' ? 'expired' : 'cancelled';
}

type EndValues = Pick<NoticeValues, 'reason' | 'ended' | 'by' | 'at'>;

/** Who ended it, when and why; while it is open, who caused the notice. */
function endValues(users: Config['users'], row: NoticedRow, cause: NoticeCause | undefined): EndValues {
  const { status, decision, ended } = row;
  const reason = cause === undefined ? (decision?.reason ?? null) : describeCause(cause);
  const nameIf = (id: string | undefined): string => (id === undefined ? '' : nameOf(users, id));
  if (status === 'open') return { reason, ended: '', by: nameIf(cause?.by), at: '' };
  const { by, at = '' } = decision ?? ended ?? {};
  return { reason, ended: endWords(users, row) ?? '', by: nameIf(by), at };
}

export function noticeValues(config: Known, publicUrl: string, row: NoticedRow, notice: NoticeInput): NoticeValues {
  const { question, decision, agent } = row;
  const values = Object.entries(decision?.values ?? {}).filter(([name]) => !question.secrets.includes(name));
  return {
    event: notice.event,
    title: question.title,
    agent: agentTitle(config.agents, agent),
    deadline: row.expiresAt,
    link: holdUrl(publicUrl, row.holdId),
    step: formatStep(row),
    message: question.message,
    stated: statedText(question, agentTitle(config.agents, agent)) ?? '',
    requester: nameOf(config.users, row.owner),
    toolArgs: question.tool?.args ?? {},
    values: Object.fromEntries(values),
    outcome: outcomeOf(row),
    end: endNameOfHold(row),
    ...endValues(config.users, row, notice.cause),
    task: row.taskId,
    policy: row.plan.policy,
    audience: row.audience,
    stages: stagesLine(row.plan.stages?.order, shownStages(row), (user) => nameOf(config.users, user)),
    digest: row.digest,
  };
}

interface ProgramChannel {
  show: readonly ('message' | 'toolArgs' | 'values' | 'reason')[];
  format: 'standard' | 'cloudevents';
}

/** The body of a webhook: names by which programs find things, and what its channel shows. */
export function noticePayload(
  { show, format }: ProgramChannel,
  { id, source }: { id: string; source: string },
  values: NoticeValues,
  row: NoticedRow,
): JsonObject {
  const { event, title, agent, deadline, link, outcome, task } = values;
  const { holdId, status, decision, ended, question, plan, audience, nextStep, digest, owner } = row;
  const data: JsonObject = {
    holdId,
    taskId: task,
    status,
    decision: decision === null ? null : decisionLabel({ question, decision }),
    outcome,
    by: decision?.by ?? ended?.by ?? null,
    inPlaceOf: decision?.inPlaceOf ?? null,
    at: decision?.at ?? ended?.at ?? null,
    // What silence did.
    then: outcome === 'expired' ? plan.then : null,
    title,
    agent,
    requester: owner,
    audience,
    ...(plan.stages === undefined ? {} : { stages: shownStages(row).map((stage) => ({ ...stage })) }),
    policy: plan.policy,
    step: nextStep === null ? null : { ...nextStep },
    digest,
    deadline,
    link,
    ...Object.fromEntries(show.map((field) => [field, values[field]])),
  };
  const type = `hold.${event}`;
  if (format === 'standard') return { type, timestamp: row.updatedAt, data };
  const envelope = { specversion: '1.0', id, source, type: `standfast.${type}`, subject: holdId };
  return { ...envelope, time: row.updatedAt, datacontenttype: 'application/json', data };
}
