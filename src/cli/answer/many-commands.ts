// `standfast holds extend` and the like, by the table of acts: one act on every open question that the filters of `holds` find,
// after their number is confirmed.
import type { Command } from 'commander';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { AmendManyReply } from '../../contract/acts/acts.ts';
import type { BulkReply } from '../../contract/views/inbox.ts';
import { actList, maxAmended } from '../../contract/acts/act-names.ts';
import { type ConfirmedSet, setName } from '../../core/consent/confirmed-set.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import { CommandError } from '../operate/command-error.ts';
import { examples } from '../operate/command-parts.ts';
import { createOperatorClient, type OperatorClient } from '../operate/operator-client.ts';
import { holdTable, openHoldsQuery, type ListOptions } from '../operate/operator-commands.ts';
import { shortId } from '../operate/short-id.ts';
import type { Terminal } from '../operate/terminal.ts';
import { bodyOf, withTaken } from './act-commands.ts';
import { approval, rejection } from './answer-values.ts';

type ManyOptions = ListOptions & Partial<Record<'confirm' | 'reason', string>>;

interface Result {
  id: string;
  ok: boolean;
  code: string | null;
  detail: string | null;
}

/** What is asked of the api, without the set that is confirmed. */
interface Act {
  do: string;
  [more: string]: unknown;
}

/** Questions that one request decides at most, and one that are listed. */
const [batchSize, pageSize] = [50, 200];

const matches = (count: number): string => (count === 1 ? '1 open question matches' : `${count} open questions match`);

export function addManyCommands(program: Command, terminal: Terminal): void {
  const holds = program.commands.find((command) => command.name() === 'holds');
  if (holds === undefined) throw new Error('there is no command holds');
  for (const { name, many } of actList) {
    if (many === null) continue;
    const command = holds
      .command(name)
      .description(many.words)
      .option(
        '--confirm <set>',
        'the questions that match, by the name that is printed; without it nothing is changed, or you are asked',
      );
    examples(withTaken(command, many.takes), ...(many.examples ?? [])).action(async () => {
      const options = command.optsWithGlobals<ManyOptions>();
      // Each of them is decided under the caller's name, who need be no operator.
      if (name === 'answer') return answer(terminal, options);
      if (name === 'reapply' && options['dryRun'] === true) return preview(terminal, options);
      return amend(terminal, options, { do: name, ...bodyOf(many.takes, command.processedArgs, options) }, many.verb);
    });
  }
}

async function amend(terminal: Terminal, options: ManyOptions, act: Act, verb: string): Promise<void> {
  const client = createOperatorClient(options);
  const path = `/api/holds/amend?${openHoldsQuery(options).toString()}`;
  const { set, setName: name } = await client.post<AmendManyReply>(path, act);
  if (!(await isConfirmed(terminal, options, { set, name }, verb))) return;
  report(terminal, options, (await client.post<AmendManyReply>(path, { ...act, set })).results);
}

/** What a reapplied policy would do to each question. */
async function preview(terminal: Terminal, options: ManyOptions): Promise<void> {
  const path = `/api/holds/amend?${openHoldsQuery(options).toString()}`;
  const found = await createOperatorClient(options).post<AmendManyReply>(path, { do: 'reapply' });
  if (options.json) {
    terminal.write(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  const lines = found.results.map(({ id, ok, detail }) => `${shortId(id)}  ${ok ? '' : 'stays: '}${detail ?? ''}\n`);
  terminal.write([...lines, `${matches(found.count)}: ${found.setName}\n`].join(''));
}

interface Found {
  set: ConfirmedSet;
  name: string;
}

/** Whether exactly this set is confirmed: by its name, or by its number at once. If nothing is to be done, that is reported. */
async function isConfirmed(
  terminal: Terminal,
  { confirm, json }: ManyOptions,
  { set, name }: Found,
  verb: string,
): Promise<boolean> {
  const found = Object.keys(set).length;
  if (confirm === undefined && (found === 0 || terminal.ask === null || json)) {
    const next = found === 0 ? '' : `; --confirm ${name} to ${verb} ${found === 1 ? 'it' : 'them'}`;
    const unchanged = { count: found, applied: false, set, setName: name, results: [] };
    terminal.write(json ? `${JSON.stringify(unchanged, null, 2)}\n` : `${matches(found)}${next}\n`);
    return false;
  }
  if (confirm !== undefined) {
    if (confirm.trim() === name) return true;
    const why = `${matches(found)} as ${name}, and ${confirm.trim()} was confirmed: they are others, or not as they were`;
    throw new CommandError('conflict', `${why}; nothing was changed`);
  }
  const typed = (await terminal.ask?.(`${matches(found)}. Type their number to ${verb} them: `)) ?? '';
  if (typed.trim() === String(found)) return true;
  throw new CommandError(
    'conflict',
    `${matches(found)}, and ${typed.trim() || 'nothing'} was typed: nothing was changed`,
  );
}

function report(terminal: Terminal, { json }: ManyOptions, results: readonly Result[]): void {
  const failed = results.filter(({ ok }) => !ok);
  if (json) terminal.write(`${JSON.stringify({ count: results.length, applied: true, results }, null, 2)}\n`);
  else terminal.write(`done: ${results.length - failed.length} of ${results.length}\n`);
  if (failed.length === 0) return;
  const lines = failed.map(({ id, code, detail }) => `  ${shortId(id)} ${code ?? ''}: ${detail ?? ''}`);
  throw new CommandError('failed', `${failed.length} of ${results.length} stayed as they were:\n${lines.join('\n')}`);
}

/** Every open question that matches, whole: what is answered has been listed before, and is named by its digest. */
async function listOpen(client: OperatorClient, options: ManyOptions): Promise<HoldView[]> {
  const query = openHoldsQuery(options);
  query.set('limit', String(pageSize));
  const found: HoldView[] = [];
  for (;;) {
    const page = await client.get<{ items: HoldView[]; nextCursor: string | null }>(`/api/holds?${query.toString()}`);
    found.push(...page.items);
    if (found.length > maxAmended)
      throw new CommandError('invalid', `more than ${maxAmended} questions match: narrow the list`);
    if (page.nextCursor === null) return found;
    query.set('cursor', page.nextCursor);
  }
}

async function answer(terminal: Terminal, options: ManyOptions): Promise<void> {
  const isYes = options['approve'] === true;
  if (isYes === (options['reject'] === true)) throw new CommandError('usage', 'give either --approve or --reject');
  const client = createOperatorClient(options);
  const holds = await listOpen(client, options);
  if (!options.json && holds.length > 0) terminal.write(`${await holdTable(client, holds, terminal)}\n`);
  const set = Object.fromEntries(holds.map((hold) => [hold.id, `${hold.digest} ${hold.planDigest} ${isYes}`]));
  const found = { set, name: setName(fingerprintOf, set) };
  if (!(await isConfirmed(terminal, options, found, isYes ? 'approve' : 'reject'))) return;
  // Others are no plain yes or no; the server would refuse them as well.
  const plain = holds.filter(({ kind }) => kind === 'confirmation' || kind === 'tool_call');
  const results = holds
    .filter((hold) => !plain.includes(hold))
    .map(({ id, kind }): Result => {
      return { id, ok: false, code: 'bulk_not_allowed', detail: `a question of kind ${kind} is answered alone` };
    });
  for (let at = 0; at < plain.length; at += batchSize) {
    const decisions = plain.slice(at, at + batchSize).map((hold) => ({
      ...(isYes ? approval(hold, []) : rejection(hold, options.reason ?? null)),
      id: hold.id,
      digest: hold.digest,
      planDigest: hold.planDigest,
    }));
    results.push(...(await client.post<BulkReply>('/api/holds/decisions', { decisions })).results);
  }
  report(terminal, options, results);
}
