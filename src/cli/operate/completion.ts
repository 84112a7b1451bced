// `standfast completion bash|zsh|fish`, generated from the commands.
import { Argument } from 'commander';
import type { Command, Option } from 'commander';
import { timeLimit } from '../../host/process/time-limit.ts';
import { common, groups } from './command-parts.ts';
import { createOperatorClient, type OperatorOptions } from './operator-client.ts';
import { shortIds } from './short-id.ts';
import { cut, plain } from './tables.ts';
import type { Terminal } from './terminal.ts';

interface Completed {
  name: string;
  description: string;
  options: { flag: string; description: string; takesValue: boolean }[];
  /** Its argument is the id of a question or task. */
  takesId: boolean;
}

/** What the scripts run; not in the help. */
const idsCommand = 'complete-ids';
const idsWithinMs = 2_000;

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Help text in single quotes that bash, zsh and fish all parse. */
const quoted = (text: string): string =>
  text
    .replaceAll(/['\\:[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

function commandsOf(program: Command): Completed[] {
  const option = ({ long, description, required, optional }: Option): Completed['options'][number] => ({
    flag: long ?? '',
    description: quoted(description),
    takesValue: required || optional,
  });
  const help = { flag: '--help', description: 'display help for command', takesValue: false };
  return program.commands
    .filter((command) => command.name() !== idsCommand)
    .map((command) => ({
      name: command.name(),
      description: quoted(command.description()),
      options: [...command.options.map(option), help],
      takesId: command.registeredArguments[0]?.name().endsWith('id') === true,
    }));
}

function bash(commands: Completed[]): string {
  const cases = commands.map(
    ({ name, options }) => `    ${name}) words='${options.map(({ flag }) => flag).join(' ')}' ;;`,
  );
  return `# bash completion of standfast: source <(standfast completion bash)
_standfast() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_CWORD} in
  1) words='${commands.map(({ name }) => name).join(' ')} --help --version' ;;
  *)
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
    esac
    if [[ $current != -* && \${COMP_WORDS[1]} =~ ^(${commands
      .filter(({ takesId }) => takesId)
      .map(({ name }) => name)
      .join('|')})$ ]]; then
      COMPREPLY=($(compgen -W "$(standfast ${idsCommand} \${COMP_WORDS[1]} 2>/dev/null | cut -f1)" -- "$current"))
      return
    fi
    [[ $current == -* ]] || { COMPREPLY=($(compgen -f -- "$current")); return; }
    ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _standfast standfast`;
}

function zsh(commands: Completed[]): string {
  const names = commands.map(({ name, description }) => `    '${name}:${description}'`);
  const cases = commands.map(({ name, options, takesId }) => {
    const each = options.map(
      ({ flag, description, takesValue }) => `'${flag}[${description}]${takesValue ? ':value:_files' : ''}'`,
    );
    return `    ${name}) _arguments ${each.join(' ')} '*: :${takesId ? '_standfast_ids' : '_files'}' ;;`;
  });
  return `#compdef standfast
# zsh completion of standfast: source <(standfast completion zsh)
_standfast_ids() {
  local -a ids=("\${(@f)$(standfast ${idsCommand} $name 2>/dev/null | tr -d : | tr '\\t' ':')}")
  _describe 'id' ids
}
_standfast() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $name in
${cases.join('\n')}
  esac
}
compdef _standfast standfast`;
}

function fish(commands: Completed[]): string {
  const lines = commands.flatMap(({ name, description, options, takesId }) => [
    `complete -c standfast -n __fish_use_subcommand -f -a ${name} -d '${description}'`,
    ...(takesId
      ? [
          `complete -c standfast -n '__fish_seen_subcommand_from ${name}' -f -a '(standfast ${idsCommand} ${name} 2>/dev/null)'`,
        ]
      : []),
    ...options.map(
      ({ flag, description: what, takesValue }) =>
        `complete -c standfast -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${takesValue ? ' -r' : ''} -d '${what}'`,
    ),
  ]);
  return ['# fish completion of standfast: standfast completion fish | source', ...lines].join('\n');
}

const writers: Record<Shell, (commands: Completed[]) => string> = { bash, zsh, fish };

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .helpGroup(groups.operate)
    .description('prints a completion script for a shell')
    .addArgument(new Argument('<shell>', 'whose completion').choices(shells))
    .addHelpText(
      'after',
      '\nExamples:\n  $ source <(standfast completion bash)\n  $ standfast completion fish | source',
    )
    .action((shell: Shell) => terminal.write(`${writers[shell](commandsOf(program))}\n`));
  common(program.command(idsCommand, { hidden: true }).argument('<command>', 'whose argument is completed')).action(
    async (name: string, options: OperatorOptions) => terminal.write(await idLines(name, options)),
  );
}

const ofTasks = ['cancel', 'restart', 'message'];

/** A line an id, with what it is about behind a tab: open questions, tasks, or of `show` both. */
async function idLines(command: string, options: OperatorOptions): Promise<string> {
  const client = createOperatorClient(options, timeLimit(idsWithinMs));
  type Listed = { id: string; headline?: string; title?: string };
  const listed = async (path: string): Promise<Listed[]> => (await client.get<{ items: Listed[] }>(path)).items;
  const [holds, tasks] = await Promise.all([
    ofTasks.includes(command) ? [] : listed('/api/holds?status=open&limit=100'),
    command === 'show' || ofTasks.includes(command) ? listed('/api/tasks?limit=50') : [],
  ]);
  const all = [...holds, ...tasks];
  const ids = shortIds(all.map(({ id }) => id));
  return all.map(({ headline, title }, at) => `${ids[at]}\t${cut(plain(headline ?? title ?? ''), 60)}\n`).join('');
}
