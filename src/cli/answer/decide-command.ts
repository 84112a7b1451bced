// `standfast decide`: flags for scripts, prompts for people at a terminal.
import type { Command } from 'commander';
import type { DecisionBody } from '../../contract/holds/decision.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { PrecedentsView } from '../../contract/views/precedents.ts';
import type { TaskView } from '../../contract/tasks/task.ts';
import { CommandError } from '../operate/command-error.ts';
import { common, examples, groups, several, pathOf, print, readNames, type Names } from '../operate/command-parts.ts';
import {
  createOperatorClient,
  readHold,
  type OperatorClient,
  type OperatorOptions,
} from '../operate/operator-client.ts';
import { bareNames, formatDone, formatShortEnd } from '../operate/outcome-text.ts';
import { plain } from '../operate/tables.ts';
import { formatHold, formatTask } from '../operate/show-text.ts';
import { fullId, shortId } from '../operate/short-id.ts';
import { missingOf } from '../../core/consent/whole-view.ts';
import type { Terminal } from '../operate/terminal.ts';
import { isObject } from '../../core/base/json.ts';
import { approval, filledIn, propertiesOf, rejection } from './answer-values.ts';
import { formatLastCall, formatUnusual } from './last-call-text.ts';
import { promptAnswer, resolvedValues } from './prompt-form.ts';
import { errorText } from '../../host/process/errno.ts';

interface DecideOptions extends OperatorOptions {
  approve?: boolean;
  reject?: boolean;
  reason?: string;
  set?: string[];
  values?: string;
  digest?: string;
}

interface DecisionAnswer {
  hold: HoldView;
  task: TaskView;
}

export function addDecideCommand(program: Command, terminal: Terminal): void {
  examples(
    common(
      program
        .command('decide')
        .helpGroup(groups.answer)
        .argument('<id>', 'hold or interrupt id, or its first eight characters')
        .description('answers a question; without a flag it asks at the terminal')
        .option('--approve', 'say yes')
        .option('--reject', 'say no, or decline to answer')
        .option('--reason <text>', 'why it is rejected')
        .option('--set <field=value>', 'fill a field in; may be repeated', several)
        .option('--values <json>', 'the whole answer, as JSON')
        .option('--digest <digest>', 'only if the question is still the one with this digest'),
    ),
    'decide 91b70a07',
    'decide 91b70a07 --approve',
    "decide 91b70a07 --reject --reason 'no receipt'",
    'decide 91b70a07 --set amount=84.5 --set costCentre=sales',
    'undo 91b70a07',
  ).action(async (id: string, options: DecideOptions) => {
    const client = createOperatorClient(options);
    const answer = await decide({ client, terminal, options, id });
    const names = options.json ? bareNames : await readNames(client).catch(() => bareNames);
    print(terminal, options, answer, () => formatOutcome(answer, names, terminal));
  });
}

function formatOutcome({ hold, task }: DecisionAnswer, names: Names, terminal: Terminal): string {
  const { text, isNo } = formatDone(hold, shortId(hold.id));
  const [first = '', ...rest] = text.split('\n');
  return [terminal.style(isNo ? 'yellow' : 'green', plain(first)), ...rest, formatTask(task, names)].join('\n');
}

interface Deciding {
  client: OperatorClient;
  terminal: Terminal;
  options: DecideOptions;
  id: string;
}

async function decide({ client, terminal, options, id }: Deciding): Promise<DecisionAnswer> {
  const { set = [] } = options;
  const ways = [options.approve, options.reject, options.values !== undefined].filter((one) => one === true);
  if (ways.length > 1) throw new CommandError('usage', 'give one of --approve, --reject and --values');
  if (options.reason !== undefined && options.reject !== true) {
    throw new CommandError('usage', '--reason goes with --reject; a field named reason is --set reason=…');
  }
  if (set.length > 0 && (options.reject === true || options.values !== undefined)) {
    throw new CommandError('usage', '--set goes with --approve, or is given alone');
  }
  const holdId = await fullId(client, 'holds', id);
  const send = async (body: DecisionBody): Promise<DecisionAnswer> =>
    client.post<DecisionAnswer>(pathOf('holds', holdId, '/decision'), body);
  const digest = options.digest === undefined ? {} : { digest: options.digest };
  if (options.values !== undefined) return send({ status: 'resolved', values: readValues(options.values), ...digest });
  const hold = await client.get<HoldView>(pathOf('holds', holdId));
  if (options.reject === true) return send({ ...rejection(hold, options.reason ?? null), ...digest });
  if (options.approve === true) refuseUnread(hold, options.digest);
  if (options.approve === true) return send({ ...approval(hold, set), ...digest });
  if (set.length > 0) return send({ ...filledIn(hold, set), ...digest });
  const { ask } = terminal;
  if (ask === null || options.json) {
    throw new CommandError(
      'usage',
      'say how: --approve, --reject, --set field=value or --values (prompts need a terminal)',
    );
  }
  if (hold.status !== 'open')
    throw new CommandError('conflict', `${shortId(hold.id)} has ended: ${formatShortEnd(hold, bareNames)}`);
  const names = await readNames(client);
  const record = await readRecord(client, hold, names);
  const shown = { url: client.pageOf(`/holds/${hold.id}`), columns: terminal.columns, record };
  const whole = await readHold(client, holdId);
  terminal.warn(`${formatHold(whole, names, shown)}\n\n`);
  refuseMissing(whole);
  return promptUntilAccepted({ hold: whole, ask, terminal, send });
}

/** A yes by a flag shows nothing: of a long question it names the digest that `show` printed below all of it. */
function refuseUnread(hold: HoldView, digest: string | undefined): void {
  if (digest !== undefined || hold.context.whole.length === 0) return;
  const id = shortId(hold.id);
  throw new CommandError(
    'usage',
    `this question is too long to be carried whole: read it by "standfast show ${id}", and approve it with its --digest`,
  );
}

/** What is missing is not approved at a terminal either. */
function refuseMissing(hold: HoldView): void {
  if (missingOf(hold).length === 0) return;
  throw new CommandError('conflict', 'not all of this question is here, so it is not approved at a terminal');
}

/** What was approved before, to compare with. It only helps: where it cannot be had, one decides without. */
async function readRecord(client: OperatorClient, hold: HoldView, names: Names): Promise<string[]> {
  const known = await client.get<PrecedentsView>(pathOf('holds', hold.id, '/precedents')).catch(() => null);
  if (known === null) return [];
  const call = known.call === null ? [] : formatLastCall(known.call, names);
  return [...call, ...formatUnusual(known.alike)];
}

/** Prompts again for the fields that the server refuses; the digest stays that of the question shown. */
async function promptUntilAccepted({
  hold,
  ask,
  terminal,
  send,
}: {
  hold: HoldView;
  ask: NonNullable<Terminal['ask']>;
  terminal: Terminal;
  send: (body: DecisionBody) => Promise<DecisionAnswer>;
}): Promise<DecisionAnswer> {
  let before: Parameters<typeof promptAnswer>[3] = null;
  for (;;) {
    const body = await promptAnswer(ask, terminal.warn, hold, before);
    try {
      return await send({ ...body, digest: hold.digest });
    } catch (error) {
      const errors = error instanceof CommandError && error.status === 422 ? (error.problem?.errors ?? []) : [];
      const wrong = new Map(errors.map(({ path, message }) => [path.split('/')[1] ?? '', message]));
      const isMendable = [...wrong.keys()].some((name) => Object.hasOwn(propertiesOf(hold.schema), name));
      if (!isMendable) throw error;
      before = { values: resolvedValues(body), wrong };
    }
  }
}

function readValues(text: string): JsonObject {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    throw new CommandError('usage', `--values is not JSON: ${errorText(error)}`);
  }
  if (!isObject(values)) throw new CommandError('usage', '--values must be an object: {"field": …}');
  return values;
}
