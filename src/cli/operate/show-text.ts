// A task or question in full, as aligned name and value lines.
import { hasEnded } from '../../contract/holds/hold-names.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { TaskView } from '../../contract/tasks/task.ts';
import { formatTime } from './format-time.ts';
import { bareNames, formatAuthor, formatNameAndId, formatActor, formatDecision, formatEnd } from './outcome-text.ts';
import type { Names } from './command-parts.ts';
import { statusWords } from '../../core/base/status-words.ts';
import { holdStyle, taskStyle } from './status-styles.ts';
import { paintDiff, textLines, wrapLine } from './text-lines.ts';
import type { Style } from './terminal.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { isObject, objectOf } from '../../core/base/json.ts';
import { argFields } from '../../core/questions/arg-fields.ts';
import { stagesLine } from '../../core/consent/stage.ts';
import { quotationText } from '../../core/consent/headline.ts';

const nameWidth = 14;

type Paint = (style: Style, text: string) => string;
const unpainted: Paint = (_style, text) => text;
type Pair = readonly [name: string, value: string | string[] | null, style?: Style | null];

/** Aligned lines of names and values, broken at spaces to fit the terminal; further lines are below the first. */
const lines = (
  pairs: readonly Pair[],
  { columns = null, paint = unpainted }: Pick<Shown, 'columns' | 'paint'>,
): string =>
  pairs
    .flatMap(([name, value, style = null]) => {
      const values = value === null ? [] : Array.isArray(value) ? value : [value];
      const rest = values.flatMap((one) => (one.trim() === '' ? [''] : textLines(one)));
      const wrapped = rest.flatMap((one) => (columns === null ? [one] : wrapLine(one, columns - nameWidth)));
      const painted = style === null ? paintDiff(wrapped, paint) : wrapped.map((one) => paint(style, one));
      return painted.map((one, index) => `${(index === 0 ? `${name}:` : '').padEnd(nameWidth)}${one}`.trimEnd());
    })
    .join('\n');

/** Where a question or task has its page, and how wide the terminal is; null: unknown, or lines are for programs. */
interface Shown {
  url?: string | null;
  columns?: number | null;
  /** Colours, where there are any. */
  paint?: Paint;
  /** What is known from the record, in lines. */
  record?: string[];
}

/** What its requester wrote, with their name. */
const requestText = ({ quotation }: Pick<HoldView, 'quotation'>, names: Names): string | null =>
  quotation && quotationText(quotation, names.person(quotation.by));

export function formatTask(task: TaskView, names: Names = bareNames, { url = null, ...shown }: Shown = {}): string {
  const pairs: Pair[] = [
    ['task', task.id],
    [
      'status',
      `${statusWords[task.status]}${task.stale === true ? ' (from the database: cannot reach Temporal)' : ''}`,
      taskStyle(task.status),
    ],
    ['title', task.quotation === null ? task.title : null],
    ['request', requestText(task, names)],
    ['agent', formatNameAndId(names.agent(task.agent), task.agent)],
    ['requester', formatNameAndId(names.person(task.owner), task.owner)],
    ['thread', task.threadId],
    ['restart of', task.restartOf],
    ['restarted as', task.restartedAs],
    [
      'stuck',
      task.stuck === null ? null : `since ${formatTime(task.stuck.since)} (${task.stuck.cause}): ${task.stuck.why}`,
    ],
    ['undecided', (task.undecided ?? []).map(({ tool, callId }) => `${tool} ran without a decision (call ${callId})`)],
    ['a2a task', task.a2aTaskId],
    ['error', task.error === null ? null : `${task.error.code}: ${task.error.message}`],
    ['questions', task.holds.length === 0 ? null : task.holds.join(', ')],
    ['artifacts', (task.artifacts ?? []).map((artifact) => artifact.name)],
    ['workflow', task.workflowId],
    ['temporal', task.temporalUrl],
    ['updated', formatTime(task.updatedAt)],
    ['url', url],
  ];
  return lines(pairs, shown);
}

type Step = NonNullable<HoldView['nextStep']> & { replace?: boolean };

/** `escalate to role:lead`. */
export const formatStep = ({ do: what, to, replace = false }: Step): string =>
  to.length === 0 ? what : `${what} to ${to.join(', ')}${replace ? ' instead' : ''}`;

/** The ladder's entry has more details than `nextStep`. */
const nextOf = ({ ladder, nextStep }: HoldView): Step =>
  ladder.find(({ doneAt }) => doneAt === null) ?? nextStep ?? { at: '', do: 'expire', to: [] };

const formatAudience = ({ audience, exclude, requester }: HoldView): string =>
  `${audience.join(', ')}${exclude.includes('requester') ? `, but not ${requester}, for whom it is asked` : ''}`;

function noDeciderText({ noDecider, reassign }: HoldView): string | null {
  if (noDecider === undefined) return null;
  const { gone, could, need } = noDecider;
  const who = gone.length === 0 ? `${could} could agree, of ${need} who must` : `no one is ${gone.join(', ')} any more`;
  const cure = reassign === 'none' ? 'change its policy and `reapply` it' : '`reassign` it';
  return `${who}: ${cure}`;
}

const formatVoter = (vote: HoldView['votes']['by'][number]): string =>
  `${formatAuthor(vote, bareNames)}${vote.isGone === true ? ', no user any more' : ''}`;

function formatVotes({ votes: { have, need, by } }: HoldView): string | null {
  if (need <= 1) return null;
  return `${have} of ${need}${by.length === 0 ? '' : ` (${by.map(formatVoter).join(', ')})`}`;
}

const formatStages = ({ stages }: HoldView, names: Names): string | null =>
  stages === undefined ? null : stagesLine(stages.order, stages.list, (user) => formatActor(user, names));

function formatCall({ status }: HoldView, { agent, until, doneAt, why }: HoldView['supervisors'][number]): string {
  if (doneAt !== null) return why === null ? `${agent} answered` : `${agent} did not decide: ${why}`;
  return hasEnded(status)
    ? `${agent} is not waited for any more`
    : `${agent} is being asked until ${formatTime(until)}`;
}

const formatMove = ({ by, at, to, isBack, note }: HoldView['moves'][number], names: Names): string =>
  `${isBack ? 'taken back, ' : ''}to ${to.join(', ')} by ${formatActor(by, names)} at ${formatTime(at)}${note === null ? '' : `: ${note}`}`;

const formatExtension = ({ by, from, until, note }: HoldView['extensions'][number], names: Names): string =>
  `from ${formatTime(from)} to ${formatTime(until)} by ${formatActor(by, names)}${note === null ? '' : `: ${note}`}`;

/** A line for each value, by the way to it: `lines[1] › sku: A`. */
const valueLines = (values: Record<string, unknown>): string[] =>
  // Safe: they came as JSON.
  argFields(values as JsonObject).map(({ name, value }) =>
    // Its first line would else be indented further than those below it.
    value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`,
  );

/** Its message says no more than what it is called. */
const isRepeated = ({ message, headline, title }: HoldView): boolean => [headline, title].includes(message.trim());

function formatExpiry({ status, expiresAt, dueAt, expires }: HoldView): string | null {
  if (hasEnded(status)) return null;
  if (status === 'time_up') return `time is up since ${formatTime(expiresAt ?? dueAt ?? '')}; then ${expires.then}`;
  if (expiresAt === null && dueAt !== null) {
    const isOver = Date.parse(dueAt) <= Date.now();
    return isOver
      ? `overdue since ${formatTime(dueAt)}; it stays open`
      : `due ${formatTime(dueAt)}, then it stays open`;
  }
  return expiresAt === null ? 'never' : `${formatTime(expiresAt)}, then ${expires.then}`;
}

export function formatHold(
  hold: HoldView,
  names: Names = bareNames,
  { url = null, record = [], ...shown }: Shown = {},
): string {
  const pairs: Pair[] = [
    ['question', hold.id],
    ['status', hold.status, hold.status === 'open' ? (holdStyle(hold) ?? 'green') : holdStyle(hold)],
    ['headline', hold.headline],
    ['title', hold.headline === hold.title ? null : hold.title],
    ['request', requestText(hold, names)],
    ['agent', formatNameAndId(names.agent(hold.agent), hold.agent)],
    ['requester', formatNameAndId(names.person(hold.requester), hold.requester)],
    ['policy', hold.policy],
    ['message', isRepeated(hold) ? null : hold.message],
    ['asked', formatAudience(hold)],
    ['agents', hold.supervisors.map((call) => formatCall(hold, call))],
    ['stages', formatStages(hold, names)],
    ['votes', hold.stages === undefined ? formatVotes(hold) : null],
    ['no decider', noDeciderText(hold)],
    ['claimed', hold.claim === null ? null : `${formatActor(hold.claim.by, names)} since ${formatTime(hold.claim.at)}`],
    ['asks', hold.reassignAsks.map(({ by, note }) => `${by} asks for others${note === null ? '' : `: ${note}`}`)],
    ['asking', hold.asking ? 'the agent was asked something back; decisions wait' : null],
    ['passed on', hold.moves.map((move) => formatMove(move, names))],
    ['extended', hold.extensions.map((one) => formatExtension(one, names))],
    ['expires', formatExpiry(hold)],
    ['next step', hold.nextStep === null ? null : `${formatStep(nextOf(hold))} at ${formatTime(hold.nextStep.at)}`],
    ['tool', hold.tool === null ? null : hold.tool.name],
    ['arguments', valueLines(hold.context.toolArgs)],
    ['record', record],
    ['data', hold.context.data.map(({ name }) => name)],
    ['files', hold.context.files.map(({ name }) => name)],
    ['links', hold.links.map(({ title, url: link }) => `${title}: ${link}`)],
    ['fields', hold.status === 'open' ? fieldLines(hold) : []],
    ['decision', formatDecision(hold, names)],
    ['values', hold.decision === null ? [] : valueLines(hold.decision.values)],
    ['reason', hold.decision?.reason ?? null],
    ['ended', formatEnd(hold, names)],
    ['asked again', hold.supersededBy],
    ['url', url],
    // For programs, after what people read.
    ['task', hold.taskId],
    ['interrupt', hold.interruptId],
    ['digest', hold.status === 'open' ? hold.digest : null],
  ];
  return lines(pairs, shown);
}

// Renders a question's form as lines: what `--values` may contain.
function describeType(field: JsonObject): string {
  const { type, oneOf, enum: values, items } = field;
  const choices = Array.isArray(values)
    ? values
    : Array.isArray(oneOf) && oneOf.length > 0 && oneOf.every((one) => isObject(one) && 'const' in one)
      ? oneOf.map((one) => (isObject(one) ? (one['const'] ?? null) : null))
      : null;
  if (choices !== null) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (type === 'array' && isObject(items)) return `list of ${describeType(items)}`;
  return typeof type === 'string' ? type : 'any';
}

/** A proposal that is all the arguments is above, as such. */
function proposalText(proposal: unknown, args: object): string {
  if (proposal === undefined) return '';
  const text = JSON.stringify(proposal);
  return text === JSON.stringify(args) ? ' [the arguments above]' : ` [${text}]`;
}

/** One line per field: name, type or choices, whether it is required, label, and proposal. */
export function fieldLines({
  schema,
  defaults,
  errors,
  secretPaths,
  context,
}: Pick<HoldView, 'schema' | 'defaults' | 'errors' | 'secretPaths'> & {
  context?: Pick<HoldView['context'], 'toolArgs'>;
}): string[] {
  const properties = objectOf(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, field]) => {
    const about = objectOf(field);
    const label = typeof about['title'] === 'string' && about['title'] !== name ? `: ${about['title']}` : '';
    const proposed = proposalText(defaults[name], context?.toolArgs ?? {});
    const error = errors[name] === undefined ? '' : ` (the agent says: ${errors[name]})`;
    const secret = secretPaths.includes(`/${name}`) ? ', secret' : '';
    return `${name} (${describeType(about)}${required.includes(name) ? ', needed' : ''}${secret})${label}${proposed}${error}`;
  });
}
