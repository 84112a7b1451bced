// `standfast ask` and `standfast approve`: a shell asks people, and reads their answer by the exit code.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { JsonObject } from '../../contract/base/json.ts';
import type { AskReply } from '../../contract/views/ask.ts';
import { askEndOf, type AskEnd } from '../../core/consent/ask-end.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import { CommandError, type ExitCause } from '../operate/command-error.ts';
import { common, examples, groups, several, waitMs } from '../operate/command-parts.ts';
import { createOperatorClient, type OperatorOptions } from '../operate/operator-client.ts';
import { isLikeId } from '../operate/short-id.ts';
import type { Terminal } from '../operate/terminal.ts';
import { defaultsOf, formOf, objectFrom } from './ask-fields.ts';
import { waitForEnd, type Ended } from './ask-wait.ts';
import { approvedField } from '../../core/base/approval-fields.ts';

interface AskOptions extends OperatorOptions {
  id?: string;
  title?: string;
  policy?: string;
  wait?: string;
  withdraw?: boolean;
}

interface QuestionOptions extends AskOptions {
  field?: string[];
  schema?: string;
  default?: string[];
  print?: string;
}

interface ApproveOptions extends AskOptions {
  tool?: string;
  args?: string;
  editable?: boolean;
}

/** What is asked; null: it was asked before, and is waited for by its id. */
interface Asked {
  body: JsonObject | null;
  args: JsonObject | null;
  isEditable: boolean;
  isDecision: boolean;
}

const defaultOutageMs = 600_000;
const withdrawMs = 5_000;

const yesOrNo: JsonObject = {
  type: 'object',
  properties: { approved: approvedField },
  required: ['approved'],
  additionalProperties: false,
};

const waits = (command: Command): Command =>
  common(
    command
      .helpGroup(groups.ask)
      .option('--id <id>', 'your name for the question: the same again waits for the same answer; alone: waits on')
      .option('--title <text>', 'one line that people see first')
      .option('--policy <name>', 'who is asked (default: ask.policy of the configuration)')
      .option('--wait <duration>', 'how long this command waits, such as 30s or 1h (default: until it has ended)')
      .option('--withdraw', 'takes the question back if the wait ends, or the command is stopped'),
  ).addHelpText('after', `\nExit codes: ${endCodes}.`);

const endCodes =
  '0 yes, or answered; 1 no; 8 expired; 9 withdrawn; 10 still waiting; 2 to 7 as for all commands (standfast --help)';

export function addAskCommands(program: Command, terminal: Terminal): void {
  examples(
    waits(
      program
        .command('ask')
        .argument('[question]', 'what to decide, and what follows from each answer; @FILE, or @- for standard input')
        .description('asks people a question, and prints their answer')
        .option(
          '--field <name:type>',
          'text, number, integer, boolean, date, email, or choices a|b; may be repeated',
          several,
        )
        .option('--schema <file>', 'JSON Schema of the answer')
        .option('--default <name=value>', 'what is proposed; may be repeated', several)
        .option('--print <field>', 'prints the value of this field alone'),
    ),
    "ask 'Which region?' --field 'region:eu|us' --print region",
    "ask 'Why is the bill so high?' --id bill-7 --wait 1h",
    'ask --id bill-7',
  ).action(async (question: string | undefined, options: QuestionOptions) => {
    const schema = schemaOf(options);
    if (options.print !== undefined && !Object.hasOwn((schema?.['properties'] ?? {}) as JsonObject, options.print))
      throw new CommandError('usage', `--print ${options.print}: expected a field of the question`);
    const reply = await askAndWait(terminal, options, questionOf(question, schema, options));
    if (options.json) return;
    terminal.write(`${answerText(reply, options.print ?? (schema === null ? 'text' : null))}\n`);
  });
  examples(
    waits(
      program
        .command('approve')
        .argument('[why]', 'what is to be approved, and what cannot be undone; @FILE, or @- for standard input')
        .description('has people approve something: ends with 0 on a yes alone')
        .option('--tool <name>', 'a call to be approved, by its name')
        .option('--args <json>', 'its arguments: a JSON object, @FILE, or @- for standard input')
        .option('--editable', 'people may change the arguments; what was approved is printed'),
    ),
    "approve 'Deploy 1.4 to production?' --wait 1h && ./deploy.sh",
    'approve --tool deploy --args @release.json --id "$CI_JOB_ID" --wait 1h',
  ).action(async (why: string | undefined, options: ApproveOptions) => {
    const asked = approvalOf(why, options);
    const reply = await askAndWait(terminal, options, asked);
    if (!options.json && asked.isEditable) terminal.write(`${JSON.stringify(reply.args)}\n`);
  });
}

/** An option's text; `@FILE` is read, `@-` is standard input. */
function textOf(given: string, option: string): string {
  if (!given.startsWith('@')) return given;
  const file = given.slice(1);
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(
      'usage',
      `${option}: ${file} cannot be read: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

function schemaOf({ field = [], schema }: QuestionOptions): JsonObject | null {
  if (schema === undefined) return formOf(field);
  if (field.length > 0) throw new CommandError('usage', '--schema: expected no --field with it');
  return objectFrom(textOf(`@${schema}`, '--schema'), '--schema');
}

function questionOf(question: string | undefined, schema: JsonObject | null, options: QuestionOptions): Asked {
  const given = { args: null, isEditable: false, isDecision: false };
  if (question === undefined) return { ...given, body: waitsOn(options, 'question') };
  const defaults = defaultsOf(options.default ?? [], schema);
  const message = textOf(question, 'question');
  return { ...given, body: { message, ...(schema === null ? {} : { schema, defaults }) } };
}

function approvalOf(
  why: string | undefined,
  { tool: name, args: given, editable = false, ...options }: ApproveOptions,
): Asked {
  if (why !== undefined && isLikeId(why))
    throw new CommandError(
      'usage',
      `"${why}" is an id, and approve asks people; did you mean decide ${why} --approve?`,
    );
  if (name === undefined) {
    if (given !== undefined || editable)
      throw new CommandError('usage', '--args, --editable: expected --tool with them');
    const asked = { args: null, isEditable: false, isDecision: true };
    if (why === undefined) return { ...asked, body: waitsOn(options, 'why') };
    return { ...asked, body: { message: textOf(why, 'why'), schema: yesOrNo } };
  }
  const args = given === undefined ? {} : objectFrom(textOf(given, '--args'), '--args');
  const message = why === undefined ? {} : { message: textOf(why, 'why') };
  return { body: { ...message, tool: { name, args, editable } }, args, isEditable: editable, isDecision: true };
}

/** A command with an id alone waits on for a question that was asked before. */
function waitsOn({ id, title, policy }: AskOptions, missing: string): null {
  if (id !== undefined && title === undefined && policy === undefined) return null;
  throw new CommandError(
    'usage',
    `${missing}: missing; expected what is asked, or --id alone to wait on for an answer`,
  );
}

type NoAnswer = Exclude<AskEnd, 'yes' | 'answered'>;

interface Spoken {
  by: string;
  /** With a colon before it; empty without a reason. */
  why: string;
  id: string;
}

/** Every end but an answer: its exit code, and its words. */
const noAnswers: Record<NoAnswer, { cause: ExitCause; words: (spoken: Spoken) => string }> = {
  no: { cause: 'refused', words: ({ by, why }) => `no, by ${by}${why}` },
  undecided: { cause: 'refused', words: ({ by, why }) => `${by} answered with neither yes nor no${why}` },
  'other-call': { cause: 'refused', words: ({ by }) => `${by} approved other arguments than these` },
  expired: { cause: 'expired', words: () => 'no answer came in time; the question has expired' },
  withdrawn: { cause: 'withdrawn', words: () => 'the question was withdrawn' },
  waiting: { cause: 'waiting', words: ({ id }) => `still waiting; the question stays open, and --id ${id} waits on` },
  unreadable: { cause: 'failed', words: () => 'what answered is not about this question' },
};

/** The reply of a question that was answered, with a yes if one was asked for; throws every other end. */
async function askAndWait(terminal: Terminal, options: AskOptions, { body, ...asked }: Asked): Promise<AskReply> {
  const { id = randomUUID(), title, policy } = options;
  const named = { id, ...(title === undefined ? {} : { title }), ...(policy === undefined ? {} : { policy }) };
  const last = await untilStopped(async (stopped) => {
    const isOver = overAfter(options, stopped);
    const ended = await waitForEnd({
      client: createOperatorClient(options),
      waiter: createOperatorClient(options, isOver),
      asked: { ...asked, id },
      body: body === null ? null : { ...body, ...named },
      isOver,
      outageMs: defaultOutageMs,
      onLink: (link) => terminal.warn(`standfast: people are asked: ${link} (id ${id})\n`),
      onAway: (why) => terminal.warn(`standfast: ${why}; trying again\n`),
    });
    return ended.end === 'waiting' && options.withdraw === true ? withdrawn(options, id, asked) : ended;
  });
  if (options.json) terminal.write(`${JSON.stringify(last.reply, null, 2)}\n`);
  return answered(last, id);
}

/** People may have answered in the last moment: then this is their answer. */
async function withdrawn(options: AskOptions, id: string, asked: Omit<Asked, 'body'>): Promise<Ended> {
  const client = createOperatorClient(options, timeLimit(withdrawMs));
  const reply = await client.delete<AskReply>(`/api/ask?id=${encodeURIComponent(id)}`);
  return { end: askEndOf(reply, { ...asked, id }), reply };
}

function answered({ end, reply }: Ended, id: string): AskReply {
  if (end === 'yes' || end === 'answered') return reply;
  const why = reply.reason === null || reply.reason === '' ? '' : `: ${reply.reason}`;
  const { cause, words } = noAnswers[end];
  throw new CommandError(cause, words({ by: reply.by ?? 'somebody', why, id }));
}

function answerText({ values, args }: AskReply, field: string | null): string {
  const given = values ?? args ?? {};
  if (field === null) return JSON.stringify(given);
  const value = given[field];
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Fires at the end of `--wait`, and if the command is stopped; a second signal ends the process at once. */
function overAfter({ wait }: AskOptions, stopped: AbortSignal): AbortSignal {
  return wait === undefined ? stopped : AbortSignal.any([stopped, timeLimit(waitMs(wait, '1h'))]);
}

/** Runs with a signal that the first SIGINT or SIGTERM fires. */
async function untilStopped<T>(run: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await run(stopped.signal);
  } finally {
    for (const signal of signals) process.removeListener(signal, stop);
  }
}
