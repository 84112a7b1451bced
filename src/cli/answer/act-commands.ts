// The acts on one question as commands, by the table of acts: `standfast claim`, `extend`, `reassign`, `nudge` and others.
import type { Command } from 'commander';
import { actList, type Taken } from '../../contract/acts/act-names.ts';
import type { CommentsView, HoldView } from '../../contract/holds/hold.ts';
import { common, examples, groups, print, readNames } from '../operate/command-parts.ts';
import { createOperatorClient, type OperatorClient, type OperatorOptions } from '../operate/operator-client.ts';
import { bareNames } from '../operate/outcome-text.ts';
import { fullId } from '../operate/short-id.ts';
import { formatHold } from '../operate/show-text.ts';
import type { Terminal } from '../operate/terminal.ts';

/** What a command was given, by the names that the api has for it. */
type Body = Record<string, unknown>;

const isOption = ([flags]: Taken): boolean => flags.startsWith('-');
const nameOf = ([flags]: Taken): string => flags.replaceAll(/^--|^<|\.{3}>$|>$| .*$/g, '');

/** Adds what an act takes to its command. */
export function withTaken(command: Command, takes: readonly Taken[] = []): Command {
  for (const taken of takes) {
    if (isOption(taken)) command.option(...taken);
    else command.argument(...taken);
  }
  return command;
}

/** The body of an act, of the arguments and options of its command. */
export function bodyOf(takes: readonly Taken[] = [], args: readonly unknown[], options: object): Body {
  const values = takes.filter((taken) => !isOption(taken)).map((taken, index) => [nameOf(taken), args[index]]);
  const given = Object.entries(options).filter(([name]) => takes.some((one) => isOption(one) && nameOf(one) === name));
  return Object.fromEntries([...values, ...given]);
}

export function addActCommands(program: Command, terminal: Terminal): void {
  for (const { name, command: act, one } of actList) {
    if (act === undefined || one === null) continue;
    const command = program
      .command(name)
      .helpGroup(groups.answer)
      .description(act.words)
      .argument('<id>', 'hold or interrupt id, or its first eight characters');
    common(withTaken(command, act.takes)).action(async () => {
      const options = command.opts<OperatorOptions>();
      const [id, ...args] = command.processedArgs as [string, ...unknown[]];
      const client = createOperatorClient(options);
      const path = one.path.replace(':id', encodeURIComponent(await fullId(client, 'holds', id)));
      const body = bodyOf(act.takes, args, options);
      const after = await client.send<HoldView | CommentsView>(
        one.method,
        path,
        one.method === 'DELETE' ? undefined : body,
      );
      await printAfter(client, terminal, options, after);
    });
    if (act.examples !== undefined) examples(command, ...act.examples);
  }
}

async function printAfter(
  client: OperatorClient,
  terminal: Terminal,
  options: OperatorOptions,
  after: HoldView | CommentsView,
): Promise<void> {
  const names = options.json ? bareNames : await readNames(client);
  print(terminal, options, after, () =>
    'items' in after
      ? after.items.map(({ at, by, text }) => `${at}  ${names.person(by)}: ${text}`).join('\n')
      : formatHold(after, names, { url: client.pageOf(`/holds/${after.id}`), columns: terminal.columns }),
  );
}
